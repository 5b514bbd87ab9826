// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events where a person would look, and none for what goes as it should. */
@Tag("quick")
@Simulated
class EventsTest {
  @Test
  void anEvictionEventNamesTheDelaysAndAReservationHasNoEvent() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.RETRY, 600);

      cluster.awaitThat("told", world -> reasons(world).contains("EvictedDueToAdmissionCheck"));
      // It is counted after it was told.
      cluster.settle();
      assertThat(note(cluster, "EvictedDueToAdmissionCheck"))
          .contains("\"budget\" (Retry by the test)", "Requeued not before", "(10m)");
      assertThat(reasons(cluster)).doesNotContain("QuotaReserved", "Admitted");
      assertThat(
              core.meters()
                  .get("kueue.evicted.workloads")
                  .tag("reason", "AdmissionCheck")
                  .counter())
          .extracting(Counter::count)
          .isEqualTo(1.0);
      assertThat(core.meters().get("kueue.evicted.workloads.once").counter().count())
          .isEqualTo(1.0);
      assertThat(core.meters().get("kueue.workload.eviction.latency").timer().count()).isEqualTo(1);
      assertThat(core.meters().get("kueue.quota.reserved.wait.time").timer().count()).isEqualTo(1);
      assertThat(core.meters().get("kueue4j.scheduling.turn.duration").timer().count())
          .isPositive();
      cluster.awaitThat(
          "counted", world -> core.meters().get("kueue4j.events.written").counter().count() >= 1);
    }
  }

  @Test
  void withAllEventsReservationAndAdmissionAreTold() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.job("job", 1);
      cluster.startCore("kueue4j: {events: All}\n");
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.time.advance(Duration.ofSeconds(90));
      cluster.answer("job", "budget", CheckState.READY, null);

      cluster.awaitThat(
          "told", world -> reasons(world).containsAll(List.of("QuotaReserved", "Admitted")));
      assertThat(note(cluster, "QuotaReserved"))
          .matches("Quota reserved in ClusterQueue cq, wait time since queued was \\d+s");
      assertThat(note(cluster, "Admitted"))
          .isEqualTo("Admitted by ClusterQueue cq, wait time since reservation was 90s");
      assertThat(events(cluster)).extracting(EventsV1Event::getType).containsOnly("Normal");
    }
  }

  @Test
  void whatWaitingDoesNotHelpIsTold() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 5);
      cluster.workload("job");
      cluster.pass(Duration.ofSeconds(3));

      cluster.awaitThat("told", world -> reasons(world).contains("ExceedsMaxQuota"));
      assertThat(
              core.meters()
                  .get("kueue.admission.attempts")
                  .tag("result", "inadmissible")
                  .counter()
                  .count())
          .isPositive();
    }
  }

  @Test
  void aRejectionIsAWarning() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.REJECTED, null);

      cluster.awaitThat("told", world -> reasons(world).contains("AdmissionCheckRejected"));
      assertThat(
              events(cluster).stream()
                  .filter(event -> "AdmissionCheckRejected".equals(event.getReason()))
                  .map(EventsV1Event::getType))
          .containsOnly("Warning");
      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      assertThat(reasons(cluster)).as("it never ran").doesNotContain("Stopped");
    }
  }

  private static List<EventsV1Event> events(TestCluster cluster) {
    return cluster
        .api
        .list(CoreTypes.EVENT, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items();
  }

  private static List<String> reasons(TestCluster cluster) {
    return events(cluster).stream()
        .map(event -> Objects.requireNonNullElse(event.getReason(), ""))
        .toList();
  }

  private static String note(TestCluster cluster, String reason) {
    return events(cluster).stream()
        .filter(event -> reason.equals(event.getReason()))
        .map(event -> Objects.requireNonNullElse(event.getNote(), ""))
        .findFirst()
        .orElseThrow();
  }
}
