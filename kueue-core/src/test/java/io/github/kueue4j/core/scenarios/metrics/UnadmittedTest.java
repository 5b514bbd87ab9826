// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.http.MetricsText;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Why Workloads are not admitted, how soon they were created, and what was built. */
class UnadmittedTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  @Test
  void whatIsNotAdmittedIsCountedByWhatItsConditionsSay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=2");
      KueueCore core = cluster.startCore();
      cluster.job("reserved", 1);
      cluster.awaitWorkload("reserved", TestCluster::reserved);
      cluster.job("too-large", 3);
      cluster.workload("too-large");

      await(cluster, core, "UnsatisfiedAdmissionChecks", "", 1);
      cluster.passUntil(
          "the other one is told why",
          world -> shown(core, "NoReservation", "ExceedsMaxQuota") == 1);
      assertThat(local(core, "NoReservation", "ExceedsMaxQuota")).isEqualTo(1);

      cluster.answer("reserved", "budget", io.github.kueue4j.api.CheckState.READY, null);
      cluster.awaitSuspended("reserved", false);
      await(cluster, core, "UnsatisfiedAdmissionChecks", "", 0);
      cluster.delete("too-large");
      await(cluster, core, "NoReservation", "ExceedsMaxQuota", 0);
      assertThat(core.meters().find("kueue.unadmitted.workloads").gauges()).isEmpty();
    }
  }

  @Test
  void workloadsAreCountedByTheKindOfTheirJobs() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("runs", 1);
      cluster.awaitSuspended("runs", false);
      cluster.job("waits", 1);
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: bare, namespace: team}
          spec:
            queueName: lq
            podSets:
            - name: main
              count: 1
              template: {spec: {containers: [{name: c, image: busybox, resources: {requests: {cpu: 1}}}]}}
          """);

      cluster.awaitThat(
          "they are counted",
          world ->
              ofKind(core, "batch/job", "ADMITTED") == 1
                  && ofKind(core, "batch/job", "QUEUED") == 1
                  && ofKind(core, "", "QUEUED") == 1);
      cluster.delete("waits");
      cluster.awaitThat("it is gone", world -> ofKind(core, "batch/job", "QUEUED") == 0);
    }
  }

  private static double ofKind(KueueCore core, String framework, String phase) {
    Gauge gauge =
        core.meters()
            .find("kueue4j.framework.workloads")
            .tags("framework", framework, "phase", phase)
            .gauge();
    return gauge == null ? -1 : gauge.value();
  }

  @Test
  void theTimeUntilAWorkloadIsCreatedIsMeasured() {
    assertThat(creations("")).isEqualTo(1);
    assertThat(creations("featureGates: {MetricForWorkloadCreationLatency: false}\n")).isZero();
  }

  private static long creations(String configuration) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.job("waiting", 1);
      cluster.job("edited", 1, "", false);
      cluster.time.advance(Duration.ofSeconds(4));
      KueueCore core = cluster.startCore(configuration);
      cluster.workload("waiting");
      // It ran, and was stopped by the core: its generation is no longer 1.
      cluster.workload("edited");
      cluster.settle();

      Timer latency = core.meters().find("kueue.workload.creation.latency").timer();
      if (latency == null) {
        return 0;
      }
      assertThat(latency.getId().getTag("job_kind")).isEqualTo("Job");
      assertThat(latency.totalTime(TimeUnit.SECONDS)).isEqualTo(4);
      return latency.count();
    }
  }

  @Test
  void cyclesAreCountedByTheirOutcomeAndRunsAreTimed() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      cluster.settle();
      Timer success =
          core.meters().get("kueue.admission.attempt.duration").tag("result", "success").timer();
      assertThat(success.count()).isEqualTo(1);
      assertThat(success.totalTime(TimeUnit.NANOSECONDS)).isPositive();
      assertThat(core.meters().get("kueue.admission.attempts").counter().count()).isEqualTo(1);

      cluster.advance(Duration.ofSeconds(90));
      cluster.jobSucceeds("job");

      cluster.awaitThat(
          "the run is timed", world -> core.meters().find("kueue.execution.time").timer() != null);
      // The core registers a timer first, records afterwards, and then goes on to the LocalQueue's.
      cluster.settle();
      assertThat(core.meters().get("kueue.execution.time").timer().totalTime(TimeUnit.SECONDS))
          .isEqualTo(90);
      assertThat(
              core.meters()
                  .get("kueue.local.queue.execution.time")
                  .tag("name", "lq")
                  .timer()
                  .totalTime(TimeUnit.SECONDS))
          .isEqualTo(90);
    }
  }

  @Test
  void theBuildIsNamed() {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core = cluster.startCore();

      assertThat(MetricsText.of((PrometheusMeterRegistry) core.meters()).lines())
          .filteredOn(line -> line.startsWith("kueue_build_info{"))
          .singleElement()
          .asString()
          .contains("git_version=\"0.", "git_commit=\"", "platform=\"", "java_version=\"")
          .doesNotContain("${")
          .endsWith("} 1");
    }
  }

  private static void await(
      TestCluster cluster, KueueCore core, String reason, String cause, double expected) {
    cluster.awaitThat(reason + " " + cause, world -> shown(core, reason, cause) == expected);
  }

  private static double shown(KueueCore core, String reason, String cause) {
    Gauge gauge =
        core.meters()
            .find("kueue.unadmitted.workloads")
            .tags("cluster_queue", "cq", "reason", reason, "underlying_cause", cause)
            .gauge();
    return gauge == null ? 0 : gauge.value();
  }

  private static double local(KueueCore core, String reason, String cause) {
    return core.meters()
        .get("kueue.local.queue.unadmitted.workloads")
        .tags("name", "lq", "namespace", "team", "reason", reason, "underlying_cause", cause)
        .gauge()
        .value();
  }
}
