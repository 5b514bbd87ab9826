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
import io.github.kueue4j.core.scenarios.badinput.BadInputs.From;
import io.github.kueue4j.core.scenarios.badinput.BadInputs.Healed;
import io.github.kueue4j.core.scenarios.badinput.BadInputs.To;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Objects that checks and users should never write: either the schema refuses it, or the core puts
 * it in order and says so. The Workload gets where it should, others go on meanwhile, and the core
 * comes to rest. Each row has a cluster of its own and mostly waits, so the rows run side by side.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@Simulated
class BadInputTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: license}]}";

  /** In a merge patch null removes, so it must be written. */
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();

  /** A day is the configured bound of a delay: after a few of them everything must be over. */
  private static final int ROUNDS = 8;

  /** More requests than any chain of rules needs, less than any loop makes. */
  private static final long REQUESTS_PER_ROUND = 40;

  @Test
  void whatTheSchemaRefuses() {
    try (TestCluster cluster = start(From.RESERVED)) {
      BadInputs.refused()
          .forEach(
              (name, status) ->
                  assertThatThrownBy(() -> write(cluster, status))
                      .as(name)
                      .isInstanceOf(KubernetesApiException.Invalid.class)
                      .hasMessageContaining("status."));

      goesOn(cluster, To.ADMITTED);
    }
  }

  static Stream<Named<Healed>> whatTheCorePutsInOrder() {
    return BadInputs.healed().entrySet().stream()
        .map(row -> Named.of(row.getKey(), row.getValue()));
  }

  @ParameterizedTest
  @MethodSource
  void whatTheCorePutsInOrder(Healed row) {
    try (TestCluster cluster = start(row.from())) {
      Instant now = cluster.time.instant();

      write(cluster, row.status());

      cluster.awaitWorkload("victim", workload -> row.expected().test(workload, now));
      if (!row.event().isEmpty()) {
        cluster.awaitThat("event " + row.event(), world -> reasons(world).contains(row.event()));
      }
      goesOn(cluster, row.to());
    }
  }

  /** Others get their turn, the Workload gets where it should, and the core comes to rest. */
  private static void goesOn(TestCluster cluster, To to) {
    cluster.queue(CHECKS, "default=3");
    cluster.job("bystander", 1);
    cluster.awaitWorkload("bystander", TestCluster::reserved);
    for (int round = 0; round < ROUNDS && !arrived(cluster, to); round++) {
      long before = requests(cluster);
      answerPending(cluster);
      cluster.settle();
      assertThat(requests(cluster) - before).isLessThan(REQUESTS_PER_ROUND);
      if (!arrived(cluster, to)) {
        cluster.pass(Duration.ofHours(7));
      }
    }
    assertThat(arrived(cluster, to))
        .as("victim is %s: %s", to, cluster.workload("victim"))
        .isTrue();
    assertThat(TestCluster.admitted(cluster.workload("bystander"))).isTrue();
    long before = requests(cluster);
    cluster.pass(Duration.ofHours(1));
    assertThat(requests(cluster) - before).isLessThan(REQUESTS_PER_ROUND);
    if (to == To.DEACTIVATED) {
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(cluster.workload("victim")),
          TestCluster.merge("{\"spec\": {\"active\": true}}"));
      cluster.awaitWorkload("victim", TestCluster::reserved);
    }
  }

  private static boolean arrived(TestCluster cluster, To to) {
    Workload workload = cluster.workload("victim");
    return switch (to) {
      case ADMITTED ->
          TestCluster.admitted(workload)
              && TestCluster.reserved(workload)
              && workload.status().admission() != null
              && !TestCluster.isTrue(workload, WorkloadConditions.EVICTED)
              && TestCluster.admitted(cluster.workload("bystander"))
              && Boolean.FALSE.equals(
                  Objects.requireNonNull(cluster.job("victim").getSpec()).getSuspend());
      case DEACTIVATED ->
          !workload.spec().active()
              && !TestCluster.reserved(workload)
              && TestCluster.admitted(cluster.workload("bystander"));
      case FAILED_TO_START ->
          TestCluster.isTrue(workload, WorkloadConditions.FINISHED)
              && TestCluster.admitted(cluster.workload("bystander"));
    };
  }

  private static void answerPending(TestCluster cluster) {
    for (Workload workload : cluster.workloads()) {
      String job = workload.metadata().getName().contains("victim") ? "victim" : "bystander";
      if (TestCluster.reserved(workload)) {
        for (AdmissionCheckState entry : workload.status().admissionChecks()) {
          if (entry.is(CheckState.PENDING)) {
            cluster.answer(job, entry.name(), CheckState.READY, null);
          }
        }
      }
    }
  }

  private static TestCluster start(From from) {
    TestCluster cluster = new TestCluster();
    cluster.check("budget");
    cluster.check("license");
    cluster.queue(CHECKS, from == From.WAITING ? "default=0" : "default=3");
    cluster.startCore();
    cluster.job("victim", 1);
    cluster.workload("victim");
    if (from != From.WAITING) {
      cluster.awaitWorkload("victim", TestCluster::reserved);
    }
    if (from == From.ADMITTED) {
      cluster.answer("victim", "budget", CheckState.READY, null);
      cluster.answer("victim", "license", CheckState.READY, null);
      cluster.awaitSuspended("victim", false);
    }
    cluster.settle();
    return cluster;
  }

  /** Writes what a careless client writes: lists as a whole, without looking. */
  private static void write(TestCluster cluster, String status) {
    String now = "'" + ApiTime.format(cluster.time.instant()) + "'";
    Object tree = new Yaml().load("{status: " + status.replace("$now", now) + "}");
    MergePatch patch = new MergePatch(JSON.toJsonTree(tree).getAsJsonObject());
    cluster.api.patchStatus(KueueTypes.WORKLOAD, ObjectKey.of(cluster.workload("victim")), patch);
  }

  private static Collection<String> reasons(TestCluster cluster) {
    return cluster
        .api
        .list(CoreTypes.EVENT, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items()
        .stream()
        .map(event -> Objects.requireNonNullElse(event.getReason(), ""))
        .toList();
  }

  private static long requests(TestCluster cluster) {
    return cluster.server.requests().byUserAgent().entrySet().stream()
        .filter(entry -> entry.getKey().contains("kueue-core"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
