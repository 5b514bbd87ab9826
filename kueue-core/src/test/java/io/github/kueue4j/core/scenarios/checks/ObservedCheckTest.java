// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A check in the mode Observe whose controller knows nothing of modes, as one of another project.
 */
@Simulated
class ObservedCheckTest {
  private static final String BOTH =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: trial}]}";

  private static void mode(TestCluster cluster, String mode) {
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("trial"),
        TestCluster.merge(
            "{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": " + mode + "}}}"));
  }

  private static void start(TestCluster cluster) {
    cluster.check("budget");
    cluster.check("trial");
    mode(cluster, "\"Observe\"");
    cluster.queue(BOTH, "default=1");
    cluster.startCore();
    cluster.job("job", 1);
    cluster.awaitWorkload("job", TestCluster::reserved);
  }

  private static boolean records(Workload workload, CheckState state) {
    return workload
        .status()
        .admissionCheck("trial")
        .flatMap(ObservedAnswer::of)
        .filter(answer -> answer.state().equals(state))
        .isPresent();
  }

  @Test
  void theJobStartsWithoutItsAnswerAndRunsOnWhateverThatIs() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);

      cluster.answer("job", "trial", CheckState.REJECTED, null);

      cluster.awaitWorkload("job", workload -> records(workload, CheckState.REJECTED));
      mode(cluster, "null");
      cluster.pass(Duration.ofMinutes(1));
      Workload workload = cluster.workload("job");
      assertThat(TestCluster.admitted(workload)).isTrue();
      assertThat(workload.spec().active()).isTrue();
      assertThat(records(workload, CheckState.REJECTED)).isTrue();
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void onceEnforcedItIsAskedAgainAboutWhatWaits() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.answer("job", "trial", CheckState.RETRY, 3600);
      cluster.awaitWorkload("job", workload -> records(workload, CheckState.RETRY));

      mode(cluster, "null");
      cluster.awaitWorkload(
          "job",
          workload ->
              workload
                  .status()
                  .admissionCheck("trial")
                  .filter(entry -> entry.is(CheckState.PENDING))
                  .isPresent());
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();
      cluster.answer("job", "trial", CheckState.RETRY, 3600);
      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));

      // Its delay goes with its enforcement.
      mode(cluster, "\"Observe\"");
      cluster.awaitWorkload("job", TestCluster::reserved);
    }
  }

  @Test
  void itsPodsGetNothingOfIt() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.writeEntry(
          () -> cluster.workload("job"),
          "trial",
          entry ->
              entry
                  .withState(CheckState.READY)
                  .withPodSetUpdates(
                      List.of(PodSetUpdate.of("main").withLabels(Map.of("trial", "true")))));
      cluster.answer("job", "budget", CheckState.READY, null);

      cluster.awaitSuspended("job", false);
      assertThat(
              cluster
                  .api
                  .get(CoreTypes.JOB, TestCluster.key("job"))
                  .orElseThrow()
                  .getSpec()
                  .getTemplate()
                  .getMetadata()
                  .getLabels())
          .doesNotContainKey("trial")
          .isNotEmpty();
    }
  }

  @Test
  void aQueueDoesNotWaitForItToBecomeActive() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: AdmissionCheck
          metadata: {name: trial, annotations: {kueue4j.io/mode: Observe}}
          spec: {controllerName: example.com/not-installed}
          """);
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: trial}]}", "default=1");
      cluster.startCore();
      cluster.job("job", 1);

      cluster.awaitWorkload("job", TestCluster::admitted);

      mode(cluster, "\"Enforce\"");
      cluster.passUntil(
          "the queue is inactive",
          world ->
              world
                  .api
                  .get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq"))
                  .orElseThrow()
                  .status()
                  .conditions()
                  .stream()
                  .anyMatch(condition -> condition.reason().equals("AdmissionCheckInactive")));
    }
  }
}
