// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.SchedulingStatsEviction;
import org.junit.jupiter.api.Test;

/** R3. */
class EvictForRetryTest {

  @Test
  void releasesTheQuotaInTheSamePatchIfNotAdmittedWhateverTheDelay() {
    Situation reserved = workload().reserved(10).retry("a", 20, 600).pending("b", 10).situation();
    Outcome.plan(reserved, 20.3)
        .by(Rule.EVICT_FOR_RETRY)
        .phase(Phase.BACKOFF)
        .condition("Evicted", "True(AdmissionCheck)@20")
        .condition("Requeued", "False(AdmissionCheck)@20")
        .condition("QuotaReserved", "False(PendingEvaluation)@20")
        .condition("Admitted", "False(NoReservation)@20")
        .released()
        .requeueAt(620.0)
        .wakesAt(620.0);
  }

  @Test
  void anAdmittedOneKeepsItsQuotaUntilTheOwnerStops() {
    Outcome.plan(workload().admitted(10).retry("a", 20, 600).ready("b", 10).situation(), 20)
        .by(Rule.EVICT_FOR_RETRY)
        .phase(Phase.EVICTING)
        .stillReserved()
        .condition("Admitted", "True(Admitted)@10")
        .condition("Requeued", "False(AdmissionCheck)@20")
        .requeueAt(620.0)
        .wakesAt(null);
  }

  @Test
  void theRetryStaysAndAReadyEndsWithItsReservation() {
    Outcome.plan(workload().reserved(10).retry("a", 20, 600).ready("b", 15).situation(), 20)
        .entries("a=Retry@20+600 b=Pending@20");
  }

  @Test
  void requeueAtIsASecondLaterWithoutADelayAndWithADelayOfZero() {
    Outcome.plan(workload().reserved(10).retry("a", 20).situation(), 20)
        .by(Rule.EVICT_FOR_RETRY)
        .requeueAt(21.0);
    Outcome.plan(workload().reserved(10).retry("a", 20, 0).situation(), 20)
        .by(Rule.EVICT_FOR_RETRY)
        .requeueAt(21.0);
  }

  @Test
  void theMessageNamesEachCheckWithItsMessageAndDelay() {
    Outcome outcome =
        Outcome.plan(workload().reserved(10).retry("b", 20, 600).retry("a", 20).situation(), 20);
    assertThat(outcome.message("Evicted"))
        .isEqualTo(
            "Evicted due to AdmissionChecks in Retry state: \"a\" (a is Retry); \"b\" (b is Retry)."
                + " Requeued not before 2026-01-01T12:10:20Z, delayed by \"b\" until"
                + " 2026-01-01T12:10:20Z (10m)");
    assertThat(outcome.message("Requeued")).isEqualTo(outcome.message("Evicted"));
    assertThat(outcome.message("QuotaReserved")).isEqualTo(outcome.message("Evicted"));
  }

  @Test
  void withoutADelayTheMessageIsThatOfTheOtherImplementation() {
    assertThat(
            Outcome.plan(workload().reserved(10).retry("a", 20).situation(), 20).message("Evicted"))
        .isEqualTo("Evicted due to AdmissionCheck in Retry state: \"a\" (a is Retry)");
  }

  @Test
  void theEvictionIsCountedAndReported() {
    Outcome outcome = Outcome.plan(workload().reserved(10).retry("a", 20, 5).situation(), 20);
    assertThat(outcome.after().status().schedulingStats())
        .extracting("evictions")
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .containsExactly(new SchedulingStatsEviction("AdmissionCheck", "", 1));
    assertThat(outcome.eventReasons()).containsExactly("EvictedDueToAdmissionCheck");
    assertThat(outcome.status().metrics())
        .contains(new LifecycleMetric.Evicted("cq", "AdmissionCheck", "", true));
  }

  @Test
  void aRetryOfACheckThatIsNotRequiredDoesNotEvict() {
    Outcome.plan(
            workload().reserved(10).pending("a", 10).pending("b", 10).retry("gone", 20).situation(),
            20)
        .nothing();
  }

  @Test
  void aRejectionPrecedesTheEviction() {
    Outcome.plan(workload().reserved(10).retry("a", 20).rejected("b", 20).situation(), 20)
        .by(Rule.REJECT);
  }

  @Test
  void conditionsHaveTheObservedGeneration() {
    Outcome outcome = Outcome.plan(workload().reserved(10).retry("a", 20).situation(), 20);
    assertThat(outcome.after().status().conditions())
        .filteredOn(condition -> condition.type().equals("Evicted"))
        .extracting("observedGeneration")
        .containsExactly(7L);
  }
}
