// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunTest {

  private static final Instant QUOTA = Instant.parse("2026-06-01T08:00:00Z");
  private static final Instant START = QUOTA.plusSeconds(60);
  private static final Instant END = QUOTA.plusSeconds(600);

  @Test
  void anObjectThatIsOlderThanTheReservationSaysNothing() {
    Workload older =
        workload(Condition.isFalse("QuotaReserved", "Pending", "", QUOTA.minusSeconds(60)));

    assertThat(Run.of(reservation(null), older)).isEqualTo(new Run.Outdated());
    assertThat(Run.of(reservation(null), workload())).isEqualTo(new Run.Outdated());
  }

  @Test
  void whileItsQuotaIsReservedItWaitsRunsOrHasFinished() {
    assertThat(Run.of(reservation(null), workload(reserved(QUOTA)))).isEqualTo(new Run.Waiting());
    assertThat(Run.of(reservation(null), workload(reserved(QUOTA), admitted(START))))
        .isEqualTo(new Run.Running(START));
    // An eviction ends the run only once the quota is given back.
    assertThat(
            Run.of(
                reservation(START),
                workload(reserved(QUOTA), admitted(START), isTrue("Evicted", END))))
        .isEqualTo(new Run.Running(START));
    assertThat(
            Run.of(
                reservation(null),
                workload(reserved(QUOTA), admitted(START), isTrue("Finished", END))))
        .isEqualTo(new Run.Over(Optional.of(START), END));
  }

  @Test
  void afterTheReleaseItEndedWithTheAdmission() {
    Workload released =
        workload(
            Condition.isFalse("QuotaReserved", "Pending", "", END.plusSeconds(5)),
            Condition.isFalse("Admitted", "NoReservation", "", END));

    assertThat(Run.of(reservation(START), released))
        .isEqualTo(new Run.Over(Optional.of(START), END));
    assertThat(Run.of(reservation(null), released)).isEqualTo(new Run.Over(Optional.empty(), END));
  }

  @Test
  void anObjectFromBeforeTheAdmissionSaysNothingAboutARunThatBegan() {
    assertThat(Run.of(reservation(START), workload(reserved(QUOTA)))).isEqualTo(new Run.Outdated());
    // The end of an earlier attempt.
    assertThat(
            Run.of(
                reservation(START),
                workload(
                    reserved(QUOTA),
                    Condition.isFalse("Admitted", "NoReservation", "", QUOTA.minusSeconds(60)))))
        .isEqualTo(new Run.Outdated());
    // Its own.
    assertThat(
            Run.of(
                reservation(START),
                workload(reserved(QUOTA), Condition.isFalse("Admitted", "Evicted", "", END))))
        .isEqualTo(new Run.Over(Optional.of(START), END));
  }

  @Test
  void aRunThatNoControllerSawIsToldByTheTimeThatKueueAddsUp() {
    Workload released =
        workload(
            Condition.isFalse("QuotaReserved", "Pending", "", END),
            Condition.isFalse("Admitted", "NoReservation", "", END));
    Workload ran =
        released.withStatus(released.status().withAccumulatedPastExecutionTimeSeconds(400));

    // Of the 400 seconds 100 were before.
    assertThat(Run.of(reservation(null), ran))
        .isEqualTo(new Run.Over(Optional.of(END.minusSeconds(300)), END));
  }

  @Test
  void aNewReservationOfQuotaIsTheEndOfTheFormerOne() {
    Instant again = END.plusSeconds(30);

    assertThat(Run.of(reservation(START), workload(reserved(again), admitted(again))))
        .isEqualTo(new Run.Over(Optional.of(START), again));
    assertThat(
            Run.of(
                reservation(START),
                workload(reserved(again), Condition.isFalse("Admitted", "NoReservation", "", END))))
        .isEqualTo(new Run.Over(Optional.of(START), END));
  }

  @Test
  void withTheAnswerOfAnAlternativeItRunsAtNoCostOfThisBudget() {
    Workload other = workload(List.of(entry("approval")), reserved(QUOTA), admitted(START));
    Workload finished =
        workload(
            List.of(entry("approval")), reserved(QUOTA), admitted(START), isTrue("Finished", END));

    assertThat(Run.of(reservation(null, "budget"), other))
        .isEqualTo(new Run.Over(Optional.empty(), START));
    assertThat(Run.of(reservation(null, "budget"), finished))
        .isEqualTo(new Run.Over(Optional.empty(), START));
    // With the answer of this check, or where it had no others.
    assertThat(
            Run.of(
                reservation(null, "budget"),
                workload(List.of(entry("budget")), reserved(QUOTA), admitted(START))))
        .isEqualTo(new Run.Running(START));
    assertThat(Run.of(reservation(null, ""), other)).isEqualTo(new Run.Running(START));
    // The queue doesn't ask the check any more: what runs is charged to its end.
    assertThat(Run.of(reservation(START, "budget"), other)).isEqualTo(new Run.Running(START));
  }

  private static Reservation reservation(@Nullable Instant startedAt) {
    return reservation(startedAt, "");
  }

  private static Reservation reservation(@Nullable Instant startedAt, String check) {
    Reservation reserved =
        Reservation.of(
                new Reservation.Claimant("uid", "w", new Payer("q", ""), check),
                new Reservation.Charge(Rate.FREE, Duration.ofHours(1), false, "", null),
                QUOTA)
            .inAttempt(QUOTA, 100);
    return startedAt == null ? reserved : reserved.started(startedAt);
  }

  private static AdmissionCheckState entry(String check) {
    return AdmissionCheckState.pending(check, QUOTA).withState(CheckState.READY);
  }

  private static Condition reserved(Instant since) {
    return isTrue("QuotaReserved", since);
  }

  private static Condition admitted(Instant since) {
    return isTrue("Admitted", since);
  }

  private static Condition isTrue(String type, Instant since) {
    return Condition.isTrue(type, type, "", since);
  }

  private static Workload workload(Condition... conditions) {
    return workload(List.of(), conditions);
  }

  private static Workload workload(List<AdmissionCheckState> checks, Condition... conditions) {
    Workload plain = Workload.named("team-a", "w");
    return plain.withStatus(
        plain.status().withConditions(List.of(conditions)).withAdmissionChecks(checks));
  }
}
