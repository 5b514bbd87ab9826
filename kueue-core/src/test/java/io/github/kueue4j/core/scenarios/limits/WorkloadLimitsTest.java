// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.limits;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static io.github.kueue4j.core.testing.TestCluster.merge;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.SchedulingStatsEviction;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What takes a Workload out of its queue, and the way back. */
@Execution(ExecutionMode.CONCURRENT)
@Simulated
class WorkloadLimitsTest {
  private static final String CHECK = "admissionChecksStrategy: {admissionChecks: [{name: ask}]}";

  private static void patch(TestCluster cluster, String job, String json) {
    cluster.api.patch(KueueTypes.WORKLOAD, ObjectKey.of(cluster.workload(job)), merge(json));
  }

  private static boolean heldFor(Workload workload, String reason) {
    return Conditions.find(workload.status().conditions(), "Requeued")
        .filter(Condition::isFalse)
        .filter(requeued -> requeued.reason().equals(reason))
        .isPresent();
  }

  private static List<String> events(TestCluster cluster) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .map(event -> String.valueOf(event.getReason()))
        .toList();
  }

  /** One way to be deactivated. */
  private record Cause(String reason, Consumer<TestCluster> comesAbout) {
    @Override
    public String toString() {
      return reason;
    }
  }

  static Stream<Cause> causes() {
    return Stream.of(
        new Cause(
            "Deactivated", cluster -> patch(cluster, "job", "{\"spec\": {\"active\": false}}")),
        new Cause(
            "DeactivatedDueToAdmissionCheck",
            cluster -> cluster.answer("job", "ask", CheckState.REJECTED, null)),
        new Cause(
            "DeactivatedDueToMaximumExecutionTimeExceeded",
            cluster -> {
              cluster.api.patchStatus(
                  CoreTypes.JOB, TestCluster.key("job"), merge("{\"status\": {\"ready\": 1}}"));
              cluster.awaitWorkload("job", workload -> TestCluster.isTrue(workload, "PodsReady"));
              cluster.advance(Duration.ofHours(1));
            }),
        new Cause(
            "DeactivatedDueToRequeuingLimitExceeded",
            cluster -> cluster.advance(Duration.ofMinutes(30))));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void whateverDeactivatedItItCanBeActivatedAgain(Cause cause) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("ask");
      cluster.startCore();
      job(cluster, "job", "kueue.x-k8s.io/max-exec-time-seconds: \"3600\"", "");
      cluster.queue(
          CHECK + ", waitForPodsReady: {timeout: 30m, requeuingStrategy: {backoffLimitCount: 0}}",
          "default=1");
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "ask", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.settle();

      cause.comesAbout().accept(cluster);

      cluster.awaitSuspended("job", true);
      cluster.podsGone("job");
      Workload stopped =
          cluster.awaitWorkload(
              "job",
              workload -> !TestCluster.reserved(workload) && heldFor(workload, cause.reason()));
      assertThat(stopped.spec().active()).isFalse();
      assertThat(condition(stopped, "Evicted").reason()).isEqualTo(cause.reason());
      String underlying = cause.reason().replace("DeactivatedDueTo", "").replace("Deactivated", "");
      assertThat(Objects.requireNonNull(stopped.status().schedulingStats()).evictions())
          .containsExactly(new SchedulingStatsEviction("Deactivated", underlying, 1));
      assertThat(Conditions.find(stopped.status().conditions(), "DeactivationTarget")).isEmpty();
      cluster.pass(Duration.ofDays(1));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();

      patch(cluster, "job", "{\"spec\": {\"active\": true}}");

      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "ask", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void executionTimeAddsUpOverAdmissionsAndEndsInADeactivation() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.startCore();
      job(cluster, "job", "kueue.x-k8s.io/max-exec-time-seconds: \"100\"", "");
      cluster.queue("", "default=1");
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.settle();
      cluster.advance(Duration.ofSeconds(60));
      stop(cluster, StopPolicy.HOLD_AND_DRAIN);
      cluster.awaitSuspended("job", true);
      cluster.podsGone("job");
      Workload evicted = cluster.awaitWorkload("job", w -> !TestCluster.reserved(w));
      assertThat(evicted.status().accumulatedPastExecutionTimeSeconds()).isEqualTo(60);
      cluster.pass(Duration.ofHours(3));

      stop(cluster, StopPolicy.NONE);
      cluster.awaitSuspended("job", false);
      cluster.settle();
      cluster.advance(Duration.ofSeconds(39));
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("job"))).isTrue();
      cluster.advance(Duration.ofSeconds(1));

      cluster.awaitSuspended("job", true);
      Workload deactivated =
          cluster.awaitWorkload(
              "job", w -> heldFor(w, "DeactivatedDueToMaximumExecutionTimeExceeded"));
      assertThat(deactivated.status().accumulatedPastExecutionTimeSeconds()).isNull();
      cluster.awaitThat(
          "the warning", there -> events(there).contains("MaximumExecutionTimeExceeded"));
    }
  }

  private static void stop(TestCluster cluster, StopPolicy policy) {
    cluster.api.patch(
        KueueTypes.CLUSTER_QUEUE,
        ObjectKey.cluster("cq"),
        merge("{\"spec\": {\"stopPolicy\": \"" + policy.value() + "\"}}"));
  }

  @Test
  void aGatedWorkloadStaysOutOfItsQueueUntilAllGatesAreRemoved() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      job(
          cluster,
          "gated",
          "",
          "kueue.x-k8s.io/admission-gated-by: \"example.com/budget,example.com/legal\"");
      cluster.passUntil("it is told", there -> said(there).reason().equals("AdmissionGated"));
      assertThat(said(cluster).message())
          .isEqualTo("Admission is gated by: example.com/budget,example.com/legal");
      cluster.jobSucceeds("first");
      cluster.pass(Duration.ofMinutes(1));
      assertThat(TestCluster.reserved(cluster.workload("gated"))).isFalse();

      gate(cluster, "\"example.com/legal\"");
      cluster.passUntil(
          "it is told", there -> said(there).message().endsWith(": example.com/legal"));
      gate(cluster, "null");

      cluster.awaitSuspended("gated", false);
      cluster.awaitThat("the event", there -> events(there).contains("AdmissionGated"));
    }
  }

  @Test
  void aGateThatIsClearedWhileThereIsNoQuotaIsTold() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      job(cluster, "gated", "", "kueue.x-k8s.io/admission-gated-by: example.com/budget");
      cluster.passUntil("it is told", there -> said(there).reason().equals("AdmissionGated"));

      gate(cluster, "null");

      cluster.passUntil("it waits again", there -> said(there).reason().equals("WaitingForQuota"));
      cluster.awaitThat("the event", there -> events(there).contains("AdmissionGateCleared"));
    }
  }

  /** A suspended Job with more labels or annotations, as the inside of a YAML flow mapping. */
  private static void job(TestCluster cluster, String name, String labels, String annotations) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq%s}
          annotations: {%s}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """
            .formatted(name, labels.isEmpty() ? "" : ", " + labels, annotations));
  }

  private static void gate(TestCluster cluster, String value) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("gated"),
        merge(
            "{\"metadata\": {\"annotations\": {\"kueue.x-k8s.io/admission-gated-by\": "
                + value
                + "}}}"));
  }

  private static Condition said(TestCluster cluster) {
    return Conditions.find(cluster.workload("gated").status().conditions(), "QuotaReserved")
        .orElseGet(() -> Condition.isFalse("QuotaReserved", "", "", cluster.time.instant()));
  }
}
