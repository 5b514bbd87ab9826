// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the audit itself: every promise that it checks is broken here once. */
class AuditTest {
  private static final Instant T0 = Instant.parse("2026-03-02T10:00:00Z");

  private final Authors authors = new Authors();
  private final List<Frame> frames = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();

  @Test
  void aRoundAsItShouldBe() {
    reservedAt(0);
    said(5, CheckState.RETRY, 10, null);
    released(5, 15);
    requeued(15, 1);
    frame(16, true, entry(CheckState.PENDING, 16, null, 1));

    assertThat(audit(2).violations()).isEmpty();
    assertThat(audit(2).tally().retries()).isEqualTo(1);
    assertThat(audit(2).tally().mostPatches()).isEqualTo(3);
  }

  @Test
  void aReservationBeforeTheDeadline() {
    reservedAt(0);
    said(5, CheckState.RETRY, 10, null);
    released(5, 15);
    requeued(14, 1);
    frame(14, true, entry(CheckState.PENDING, 14, null, 1));

    assertBroken(2);
  }

  @Test
  void theLastAnswerCountsNotTheFirst() {
    reservedAt(0);
    said(5, CheckState.RETRY, 10, null);
    released(5, 15);
    said(8, CheckState.RETRY, 60, null);
    requeued(15, 1);
    frame(16, true, entry(CheckState.PENDING, 16, null, 1));

    assertBroken(2);
  }

  /** A Retry is known by its date: the delay that comes later is a second word on the same one. */
  @Test
  void aDelayThatIsAddedToARetryCountsFromItsFirstSight() {
    reservedAt(0);
    said(5, CheckState.RETRY, null, null);
    released(5, 9);
    frame(
        8, frames.getLast().status().withAdmissionCheck(entry(CheckState.RETRY, 5, 6, null)), true);
    requeued(11, 1);
    frame(12, true, entry(CheckState.PENDING, 12, null, 1));

    assertThat(audit(2).violations()).isEmpty();
  }

  @Test
  void anAnswerThatWithdrawsTheDelayEndsIt() {
    reservedAt(0);
    said(5, CheckState.RETRY, 600, null);
    released(5, 605);
    said(8, CheckState.READY, null, null);
    requeued(9, 0);
    frame(10, true, entry(CheckState.PENDING, 10, null, null));

    assertThat(audit(2).violations()).isEmpty();
  }

  @Test
  void anAnswerThatAnotherCheckOverwritesIsLost() {
    frame(0, false);
    said(5, CheckState.RETRY, 600, null);
    frame(6, frames.getLast().status().withAdmissionChecks(List.of()), true);
    frame(7, true, entry(CheckState.PENDING, 7, null, null));

    assertThat(audit(2).violations()).isEmpty();
  }

  @Test
  void aWrongDateDoesNotShortenTheDelayUnlessTheCoreWasDown() {
    reservedAt(0);
    said(5, CheckState.RETRY, 20, null);
    released(5, 25);
    // An hour old: it counts from second 8, whatever it says.
    frame(
        8,
        frames.getLast().status().withAdmissionCheck(entry(CheckState.RETRY, -3600, 30, null)),
        true);
    requeued(25, 1);
    frame(26, true, entry(CheckState.PENDING, 26, null, 1));
    assertBroken(2);

    outages.add(new Outage(at(7), at(9)));
    assertThat(audit(2).violations()).isEmpty();
    assertThat(audit(2).tally().knownLimit()).isEqualTo(1);
  }

  @Test
  void quotaThatIsKeptDuringARetry() {
    reservedAt(0);
    said(5, CheckState.RETRY, 10, null);
    frame(7, true, entry(CheckState.RETRY, 6, 10, null));

    assertBroken(3);
  }

  @Test
  void anAdmissionWithoutAnAnswerOfTheSdkForThisReservation() {
    frame(0, true, entry("careful", CheckState.PENDING, 0, null, null));
    admitted(1, entry("careful", CheckState.READY, 0, null, null));

    assertThat(audit(2).violations()).extracting(Report.Violation::invariant).contains(4);
  }

  @Test
  void aRejectionThatIsErased() {
    reservedAt(0);
    said(5, CheckState.REJECTED, null, null);
    frame(6, false, entry(CheckState.PENDING, 6, null, null));

    assertBroken(5);
  }

  @Test
  void aRetryThatIsCountedTwice() {
    reservedAt(0);
    said(5, CheckState.RETRY, 0, null);
    released(5, 5);
    requeued(6, 2);

    assertBroken(6);
  }

  @Test
  void aVerdictThatTheCoreInvents() {
    reservedAt(0);
    frame(1, true, entry(CheckState.READY, 1, null, null));

    assertBroken(7);
  }

  @Test
  void moreReservedThanThereIs() {
    reservedAt(0);

    assertThat(audit(0).violations()).extracting(Report.Violation::invariant).contains(9);
  }

  @Test
  void tooManyPatchesForARound() {
    reservedAt(0);
    said(5, CheckState.RETRY, 10, null);
    released(5, 15);
    released(6, 16);
    released(7, 17);
    requeued(17, 1);
    frame(18, true, entry(CheckState.PENDING, 18, null, 1));

    assertBroken(10);
  }

  @Test
  void aPatchOfAFinishedWorkload() {
    reservedAt(0);
    frame(1, status(List.of(condition(WorkloadConditions.FINISHED, true, 1)), List.of()), false);
    frame(2, status(List.of(condition(WorkloadConditions.FINISHED, true, 1)), List.of()), false);
    frame(3, status(List.of(condition(WorkloadConditions.FINISHED, true, 3)), List.of()), false);

    assertBroken(1);
  }

  private void assertBroken(int invariant) {
    assertThat(audit(2).violations())
        .extracting(Report.Violation::invariant)
        .containsExactly(invariant);
  }

  private Report audit(long quota) {
    return new Audit(authors, Set.of("careful"), outages, quota, Set.of("naive"), true).of(frames);
  }

  // What happens, by the second.

  private void reservedAt(int second) {
    frame(second - 1, false);
    frame(second, true, entry(CheckState.PENDING, second, null, null));
  }

  /** The check writes, as far as reserved as before. */
  private void said(
      int second, CheckState state, @Nullable Integer delay, @Nullable Integer count) {
    Frame before = frames.getLast();
    frame(
        second,
        before.status().withAdmissionCheck(entry(state, second, delay, count).withMessage("said")),
        true);
  }

  /** The core releases the quota; {@code requeueAt} makes every such patch another one. */
  private void released(int second, int requeueAt) {
    Frame before = frames.getLast();
    List<Condition> conditions =
        List.of(
            condition(WorkloadConditions.QUOTA_RESERVED, false, second),
            condition(WorkloadConditions.EVICTED, true, requeueAt));
    RequeueState requeueState = new RequeueState(null, at(requeueAt));
    frame(second, before.status().withConditions(conditions).withRequeueState(requeueState), false);
  }

  private void requeued(int second, int count) {
    frame(second, false, entry(CheckState.PENDING, second, null, count));
  }

  private void admitted(int second, AdmissionCheckState... entries) {
    frame(
        second,
        status(
            List.of(
                condition(WorkloadConditions.QUOTA_RESERVED, true, 0),
                condition(WorkloadConditions.ADMITTED, true, second)),
            List.of(entries)),
        false);
  }

  private void frame(int second, boolean reserved, AdmissionCheckState... entries) {
    // A reservation keeps its date from version to version.
    int since =
        reserved && !frames.isEmpty() && frames.getLast().reserved()
            ? (int) (frames.getLast().reservedSince().getEpochSecond() - T0.getEpochSecond())
            : second;
    frame(
        second,
        status(
            List.of(condition(WorkloadConditions.QUOTA_RESERVED, reserved, since)),
            List.of(entries)),
        false);
  }

  private void frame(int second, WorkloadStatus status, boolean byCheck) {
    long version = frames.size() + 1L;
    if (byCheck) {
      authors.report(version, new Authors.Writing("naive", true, at(second)));
    }
    frames.add(
        new Frame(new ObjectKey("ns", "w"), "uid", version, at(second), false, true, 1, status));
  }

  private static WorkloadStatus status(
      List<Condition> conditions, List<AdmissionCheckState> entries) {
    return WorkloadStatus.empty().withConditions(conditions).withAdmissionChecks(entries);
  }

  private static AdmissionCheckState entry(
      CheckState state, int second, @Nullable Integer delay, @Nullable Integer count) {
    return entry("naive", state, second, delay, count);
  }

  private static AdmissionCheckState entry(
      String name, CheckState state, int second, @Nullable Integer delay, @Nullable Integer count) {
    return AdmissionCheckState.pending(name, at(second))
        .withState(state)
        .withRequeueAfterSeconds(delay)
        .withRetryCount(count);
  }

  private static Condition condition(String type, boolean status, int second) {
    return status
        ? Condition.isTrue(type, "Test", "", at(second))
        : Condition.isFalse(type, "Test", "", at(second));
  }

  private static Instant at(int second) {
    return T0.plusSeconds(second);
  }
}
