// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.core.scenarios.badinput.BadInputs.From;
import io.github.kueue4j.core.scenarios.badinput.BadInputs.Healed;
import io.github.kueue4j.core.scenarios.badinput.BadInputs.To;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Objects that checks and users should never write: either the schema refuses it, or the core puts
 * it in order and says so. The Workload gets where it should, others go on meanwhile, and the core
 * comes to rest. The rows share a cluster and its core; each has a ClusterQueue of its own.
 */
@Simulated
class BadInputTest {
  /** In a merge patch null removes, so it must be written. */
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();

  /** A day is the configured bound of a delay: after a few of them everything must be over. */
  private static final int ROUNDS = 8;

  /** More requests than any chain of rules needs, less than any loop makes. */
  private static final int REQUESTS_PER_ROUND = 40;

  /** The number of a row in the names of its objects. */
  private static final Pattern NUMBER = Pattern.compile("-(\\d\\d)(-|$)");

  /** The core's requests about objects of a row, by its number; empty if the path names none. */
  private final Map<String, Integer> requests = new ConcurrentHashMap<>();

  /** The victim of a row, and a Job that comes later. */
  private record Life(TestCluster cluster, int number, String name, Healed row) {
    String digits() {
      return "%02d".formatted(number);
    }

    String numbered(String kind) {
      return kind + "-" + digits();
    }

    Workload victim() {
      return cluster.workload(numbered("victim"));
    }

    void queue(int cpus) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: %1$s}
          spec:
            namespaceSelector: {}
            admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: license}]}
            resourceGroups: [{coveredResources: [cpu], flavors: [{name: default,
              resources: [{name: cpu, nominalQuota: %2$d}]}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: %1$s, namespace: team}
          spec: {clusterQueue: %1$s}
          """
              .formatted(numbered("queue"), cpus));
    }

    void job(String kind) {
      cluster.apply(TestJob.named(numbered(kind)).queue(numbered("queue")).cpus(1).yaml());
    }

    void start() {
      queue(row.from() == From.WAITING ? 0 : 3);
      job("victim");
      victim();
      if (row.from() != From.WAITING) {
        cluster.awaitWorkload(numbered("victim"), TestCluster::reserved);
      }
      if (row.from() == From.ADMITTED) {
        cluster.answer(numbered("victim"), "budget", CheckState.READY, null);
        cluster.answer(numbered("victim"), "license", CheckState.READY, null);
        cluster.awaitSuspended(numbered("victim"), false);
      }
    }

    /** Writes what a careless client writes: lists as a whole, without looking. */
    void write(String status) {
      String now = "'" + ApiTime.format(cluster.time.instant()) + "'";
      String filled = status.replace("$now", now).replace("$queue", numbered("queue"));
      Object tree = new Yaml().load("{status: " + filled + "}");
      MergePatch patch = new MergePatch(JSON.toJsonTree(tree).getAsJsonObject());
      cluster.api.patchStatus(KueueTypes.WORKLOAD, ObjectKey.of(victim()), patch);
    }

    void isPutInOrder() {
      Instant now = cluster.time.instant();
      write(row.status());
      cluster.awaitThat(name, world -> row.expected().test(victim(), now));
      if (!row.event().isEmpty()) {
        cluster.awaitThat(
            name + ": event " + row.event(),
            world -> reasons(world, numbered("victim")).contains(row.event()));
      }
    }

    boolean arrived() {
      Workload workload = victim();
      return TestCluster.admitted(cluster.workload(numbered("bystander")))
          && switch (row.to()) {
            case ADMITTED ->
                TestCluster.admitted(workload)
                    && TestCluster.reserved(workload)
                    && workload.status().admission() != null
                    && !TestCluster.isTrue(workload, WorkloadConditions.EVICTED)
                    && Boolean.FALSE.equals(
                        Objects.requireNonNull(cluster.job(numbered("victim")).getSpec())
                            .getSuspend());
            case DEACTIVATED -> !workload.spec().active() && !TestCluster.reserved(workload);
            case FAILED_TO_START -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED);
          };
    }
  }

  @Test
  void whatTheSchemaRefuses() {
    Healed ordinary = new Healed(From.RESERVED, "{}", (workload, now) -> true, "", To.ADMITTED);
    try (TestCluster cluster = start()) {
      Life life = new Life(cluster, 0, "refused", ordinary);
      life.start();
      BadInputs.refused()
          .forEach(
              (name, status) ->
                  assertThatThrownBy(() -> life.write(status))
                      .as(name)
                      .isInstanceOf(KubernetesApiException.Invalid.class)
                      .hasMessageContaining("status."));

      goOn(cluster, List.of(life));
    }
  }

  @Test
  void whatTheCorePutsInOrder() {
    try (TestCluster cluster = start()) {
      List<Life> lives = new ArrayList<>();
      BadInputs.healed()
          .forEach((name, row) -> lives.add(new Life(cluster, lives.size(), name, row)));
      lives.forEach(Life::start);
      cluster.settle();

      each(lives, Life::isPutInOrder);

      goOn(cluster, lives);
    }
  }

  /** Others get their turn, the Workloads get where they should, and the core comes to rest. */
  private void goOn(TestCluster cluster, List<Life> lives) {
    assertThat(requests.keySet()).containsAll(lives.stream().map(Life::digits).toList());
    each(
        lives,
        life -> {
          life.queue(3);
          life.job("bystander");
          cluster.awaitWorkload(life.numbered("bystander"), TestCluster::reserved);
        });
    for (int round = 0; round < ROUNDS && !lives.stream().allMatch(Life::arrived); round++) {
      requests.clear();
      answerPending(cluster);
      cluster.settle();
      assertFewRequests(lives);
      if (!lives.stream().allMatch(Life::arrived)) {
        cluster.pass(Duration.ofHours(7));
      }
    }
    assertThat(lives)
        .allSatisfy(
            life ->
                assertThat(life.arrived())
                    .as("%s: %s: %s", life.name(), life.row().to(), life.victim())
                    .isTrue());
    requests.clear();
    cluster.pass(Duration.ofHours(1));
    assertFewRequests(lives);
    each(
        lives.stream().filter(life -> life.row().to() == To.DEACTIVATED).toList(),
        life -> {
          cluster.api.patch(
              KueueTypes.WORKLOAD,
              ObjectKey.of(life.victim()),
              TestCluster.merge("{\"spec\": {\"active\": true}}"));
          cluster.awaitWorkload(life.numbered("victim"), TestCluster::reserved);
        });
  }

  /** Tells of each row that is wrong, not of the first only. */
  private static void each(List<Life> lives, Consumer<Life> check) {
    SoftAssertions.assertSoftly(
        all ->
            lives.forEach(
                life ->
                    all.assertThatCode(() -> check.accept(life))
                        .as(life.name())
                        .doesNotThrowAnyException()));
  }

  private void assertFewRequests(List<Life> lives) {
    each(
        lives,
        life ->
            assertThat(requests.getOrDefault(life.digits(), 0))
                .as("requests about it")
                .isLessThan(REQUESTS_PER_ROUND));
    assertThat(requests.getOrDefault("", 0)).as("other requests").isLessThan(REQUESTS_PER_ROUND);
  }

  private static void answerPending(TestCluster cluster) {
    for (Workload workload : cluster.workloads()) {
      if (TestCluster.reserved(workload)) {
        String job = workload.metadata().getOwnerReferences().getFirst().getName();
        for (AdmissionCheckState entry : workload.status().admissionChecks()) {
          if (entry.is(CheckState.PENDING)) {
            cluster.answer(job, entry.name(), CheckState.READY, null);
          }
        }
      }
    }
  }

  private TestCluster start() {
    TestCluster cluster = new TestCluster();
    cluster.check("budget");
    cluster.check("license");
    cluster.flavor("default");
    cluster.server.faults().failNext(1, this::countsAndMatchesNone, 500);
    cluster.startCore();
    return cluster;
  }

  private boolean countsAndMatchesNone(ApiRequest request) {
    if (request.userAgent().contains("kueue-core")) {
      Matcher number = NUMBER.matcher(request.name());
      requests.merge(number.find() ? number.group(1) : "", 1, Integer::sum);
    }
    return false;
  }

  private static List<String> reasons(TestCluster cluster, String victim) {
    return cluster
        .api
        .list(CoreTypes.EVENT, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items()
        .stream()
        .filter(event -> Objects.requireNonNull(event.getRegarding()).getName().contains(victim))
        .map(event -> Objects.requireNonNullElse(event.getReason(), ""))
        .toList();
  }
}
