// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInput;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.observe.explain.UnknownNameException;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason why a Workload doesn't run, produced by a running core. */
@Execution(ExecutionMode.CONCURRENT)
@Simulated
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class ExplainTest {
  private static final String LEASE = "c1f6bfd2.kueue.x-k8s.io";

  static Stream<Scene> scenes() {
    return Stream.of(
            QueueScenes.all(),
            QuotaScenes.all(),
            CheckScenes.all(),
            DeferredPreemptionScenes.all(),
            RetryScenes.all(),
            JobScenes.all(),
            KindScenes.all(),
            RayScenes.all(),
            TrainJobScenes.all(),
            LimitScenes.all())
        .flatMap(java.util.List::stream);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenes")
  void explainsTheReason(Scene scene) {
    try (TestCluster cluster = new TestCluster()) {
      scene.happens().accept(cluster);

      Explanation explanation =
          await()
              .until(
                  () -> explain(cluster, scene.subject()),
                  found -> found.reason() == scene.reason() && tells(found, scene));

      assertThat(explanation.whoActs().actor()).as("%s", explanation).isEqualTo(scene.actor());
      Instant wake = scene.wakesIn() == null ? null : cluster.time.instant().plus(scene.wakesIn());
      assertThat(explanation.nextWake()).as("%s", explanation).isEqualTo(wake);
      assertThat(explanation.whoActs().action()).isNotBlank();
    }
  }

  @Test
  void everyReasonHasAScene() {
    Set<Reason> shown =
        scenes()
            .map(Scene::reason)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Reason.class)));
    assertThat(shown).containsExactlyInAnyOrder(Reason.values());
    assertThat(scenes().filter(scene -> !scene.reason().isNoObstacle()))
        .hasSizeGreaterThanOrEqualTo(25);
  }

  @Test
  void anExpiredLeasePrecedesReasonsThatWaitForTheCore() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
      cluster.queue("", "default=1");
      KueueCore core = cluster.startElectedCore();
      cluster.job("job", 2);
      cluster.workload("job");
      cluster.settle();
      ExplainInput alive = reader(cluster).read(TestCluster.NAMESPACE, "job/job");
      Instant renewed =
          Objects.requireNonNull(
                  Objects.requireNonNull(Objects.requireNonNull(alive.coreLease()).getSpec())
                      .getRenewTime())
              .toInstant();
      assertThat(Explain.why(alive, renewed.plusSeconds(5)).reason())
          .isEqualTo(Reason.EXCEEDS_QUOTA);

      Explanation silent = Explain.why(alive, renewed.plusSeconds(120));
      assertThat(silent.reason()).isEqualTo(Reason.CORE_NOT_RUNNING);
      assertThat(silent.whoActs().actor()).isEqualTo(Actor.CORE_OPERATOR);
      assertThat(silent.summary())
          .contains("2m ago", "Apart from that", "more than the whole quota");
      assertThat(silent.evidence().getFirst().object()).contains(LEASE);

      core.close();

      ExplainInput left = reader(cluster).read(TestCluster.NAMESPACE, "job/job");
      Explanation gone = Explain.why(left, renewed.plusSeconds(5));
      assertThat(gone.reason()).isEqualTo(Reason.CORE_NOT_RUNNING);
      assertThat(gone.summary()).contains("its last leader has left");
    }
  }

  @Test
  void anUnknownNameIsAnsweredWithSimilarNames() {
    try (TestCluster cluster = new TestCluster()) {
      World.queue(cluster, "", "default=1");
      cluster.job("training", 1);
      cluster.workload("training");

      assertThatThrownBy(() -> explain(cluster, "trainnig"))
          .isInstanceOf(UnknownNameException.class)
          .hasMessageContaining("'trainnig'")
          .hasMessageContaining("did you mean")
          .hasMessageContaining("job/training");
      assertThatThrownBy(() -> explain(cluster, "cronjob/training"))
          .isInstanceOf(UnknownNameException.class)
          .hasMessageContaining("job/NAME");
      assertThatThrownBy(() -> explain(cluster, "zzz"))
          .isInstanceOf(UnknownNameException.class)
          .hasMessageContaining("kubectl get workloads,jobs");
    }
  }

  @Test
  void aCheckThatAnswersNoWorkloadForLongMayHaveLostItsController() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      World.queue(cluster, World.ONE_CHECK, "default=2");
      for (String job : List.of("job", "other")) {
        cluster.job(job, 1);
        cluster.awaitWorkload(job, TestCluster::reserved);
      }
      String gone = "its condition Active may be left from a controller that no longer runs";
      cluster.advance(Duration.ofMinutes(29));
      assertThat(explain(cluster, "job/job").summary()).doesNotContain(gone);
      cluster.advance(Duration.ofMinutes(2));
      assertThat(explain(cluster, "job/job").summary())
          .contains("It has answered no Workload that can be seen: " + gone);

      cluster.answer("other", "budget", CheckState.READY, null);
      Instant answered =
          cluster.workload("other").status().admissionChecks().getFirst().lastTransitionTime();
      assertThat(explain(cluster, "job/job").summary()).doesNotContain(gone);
      cluster.advance(Duration.ofMinutes(31));
      assertThat(explain(cluster, "job/job").summary())
          .contains("It has answered no other Workload since " + answered + ": " + gone);
    }
  }

  private static Explanation explain(TestCluster cluster, String subject) {
    int colon = subject.indexOf(':');
    String namespace = colon < 0 ? TestCluster.NAMESPACE : subject.substring(0, colon);
    String name =
        subject.equals("WORKLOAD")
            ? "workload/" + cluster.workloads().getFirst().metadata().getName()
            : subject.substring(colon + 1);
    return Explain.why(reader(cluster).read(namespace, name), cluster.time.instant());
  }

  private static ExplainInputReader reader(TestCluster cluster) {
    return new ExplainInputReader(cluster.api);
  }

  private static boolean tells(Explanation explanation, Scene scene) {
    String all = explanation.toString();
    return scene.telling().stream().allMatch(all::contains);
  }

  @Test
  void reasonsAreSpelledInCamelCase() {
    assertThat(Arrays.stream(Reason.values()).map(Reason::code))
        .contains("RetryDelayed", "Finished", "CoreNotRunning")
        .allMatch(code -> code.matches("([A-Z][a-z]+)+"));
  }
}
