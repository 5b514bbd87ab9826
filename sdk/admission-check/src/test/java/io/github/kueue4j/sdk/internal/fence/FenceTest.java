// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every cell of the table in {@code docs/lifecycle.md#the-side-of-the-checks}. */
class FenceTest {

  private static final Instant T0 = Instant.parse("2026-06-01T12:00:00Z");
  private static final Instant NOW = T0.plusSeconds(30).plusMillis(700);
  private static final Instant NOW_SECOND = T0.plusSeconds(30);

  private static final Map<String, Verdict> VERDICTS =
      Map.of(
          "Ready", Verdict.ready("fine", List.of(PodSetUpdate.of("main"))),
          "Pending", Verdict.pending("asking"),
          "Retry", Verdict.retry(Reason.of("Full"), "full", Delay.exactly(Duration.ofMinutes(5))),
          "Rejected", Verdict.rejected(Reason.of("Never"), "never"),
          "Unchanged", Verdict.unchanged("could not ask"));

  /** What the newest object may say, by name; the evaluation started with {@link #reserved}. */
  private static Map<String, @Nullable Workload> situations() {
    Workload reserved = reserved(T0);
    Map<String, @Nullable Workload> all = new LinkedHashMap<>();
    all.put("reserved", reserved);
    all.put("message changed", entry(reserved, e -> e.withMessage("hello")));
    all.put("admitted", condition(reserved, "Admitted", true, "Admitted", T0.plusSeconds(1)));
    all.put("evicting", condition(reserved, "Evicted", true, "Preempted", T0.plusSeconds(2)));
    all.put("backoff by another check", released(reserved, "AdmissionCheck"));
    all.put("backoff by pods-ready timeout", released(reserved, "PodsReadyTimeout"));
    all.put(
        "backoff by another check's late Retry",
        status(
            released(reserved, null),
            s -> s.withAdmissionCheck(other().withState(CheckState.RETRY))));
    all.put("queued", released(reserved, null));
    all.put("held", released(reserved, "ClusterQueueStopped"));
    all.put("reserved again", reserved(T0.plusSeconds(10)));
    all.put(
        "reserved again at the same second on other flavors",
        status(reserved, s -> s.withAdmission(new Admission("other", List.of()))));
    all.put(
        "reserved again, entry left alone",
        condition(reserved, "QuotaReserved", true, "QuotaReserved", T0.plusSeconds(10)));
    all.put(
        "evicting from another reservation, entry left alone",
        condition(
            condition(reserved, "QuotaReserved", true, "QuotaReserved", T0.plusSeconds(10)),
            "Evicted",
            true,
            "Preempted",
            T0.plusSeconds(11)));
    all.put(
        "evicting, entry reset",
        entry(
            condition(reserved, "Evicted", true, "Preempted", T0.plusSeconds(2)),
            e -> e.withLastTransitionTime(T0.plusSeconds(2))));
    all.put(
        "backoff, entry reset",
        entry(released(reserved, "AdmissionCheck"), e -> e.withRetryCount(5)));
    all.put("entry reset: count", entry(reserved, e -> e.withRetryCount(5)));
    all.put("entry reset: state", entry(reserved, e -> e.withState(CheckState.READY)));
    all.put("entry reset: time", entry(reserved, e -> e.withLastTransitionTime(T0.plusSeconds(5))));
    all.put("finished", condition(reserved, "Finished", true, "Succeeded", T0.plusSeconds(3)));
    all.put(
        "finished in backoff",
        condition(
            released(reserved, "AdmissionCheck"), "Finished", true, "Failed", T0.plusSeconds(3)));
    all.put("deactivated", reserved.withSpec(reserved.spec().withActive(false)));
    all.put(
        "deactivated and released",
        released(reserved.withSpec(reserved.spec().withActive(false)), "Deactivated"));
    all.put("deleted", null);
    all.put("deleted and created again", withUid(reserved, "another"));
    all.put("deleting", deleting(reserved));
    all.put("check removed", status(reserved, s -> s.withAdmissionChecks(List.of(other()))));
    return all;
  }

  @ParameterizedTest(name = "{0}: {1} {2} {3} {4} {5}")
  @CsvSource({
    // situation, Ready, Pending, Retry, Rejected, Unchanged
    "reserved,                      write, write, write, write, write",
    "message changed,   write, write, write, write, write",
    "admitted,                      write, write, write, write, write",
    "evicting,                      drop Evicted, drop Evicted, write, write, drop Evicted",
    "backoff by another check,      drop Evicted, drop Evicted, write, write, drop Evicted",
    "backoff by pods-ready timeout, drop Evicted, drop Evicted, write, write, drop Evicted",
    "backoff by another check's late Retry,"
        + " drop Evicted, drop Evicted, write, write, drop Evicted",
    "queued,"
        + " anew NotReserved, drop NotReserved, anew NotReserved, anew NotReserved,"
        + " drop NotReserved",
    "held,"
        + " anew NotReserved, drop NotReserved, anew NotReserved, anew NotReserved,"
        + " drop NotReserved",
    "reserved again,"
        + " anew OtherReservation, drop OtherReservation, anew OtherReservation,"
        + " anew OtherReservation, drop OtherReservation",
    "reserved again at the same second on other flavors,"
        + " anew OtherReservation, drop OtherReservation, anew OtherReservation,"
        + " anew OtherReservation, drop OtherReservation",
    "'reserved again, entry left alone',"
        + " anew OtherReservation, drop OtherReservation, anew OtherReservation,"
        + " anew OtherReservation, drop OtherReservation",
    "'evicting from another reservation, entry left alone',"
        + " anew Evicted, drop Evicted, anew Evicted, anew Evicted, drop Evicted",
    "'evicting, entry reset',"
        + " anew Evicted, drop Evicted, anew Evicted, anew Evicted, drop Evicted",
    "'backoff, entry reset',"
        + " anew NotReserved, drop NotReserved, anew NotReserved, anew NotReserved,"
        + " drop NotReserved",
    "'entry reset: count',"
        + " anew EntryReset, drop EntryReset, anew EntryReset, anew EntryReset, drop EntryReset",
    "'entry reset: state',"
        + " anew EntryReset, drop EntryReset, anew EntryReset, anew EntryReset, drop EntryReset",
    "'entry reset: time',"
        + " anew EntryReset, drop EntryReset, anew EntryReset, anew EntryReset, drop EntryReset",
    "finished," + " drop Finished, drop Finished, drop Finished, drop Finished, drop Finished",
    "finished in backoff,"
        + " drop Finished, drop Finished, drop Finished, drop Finished, drop Finished",
    "deactivated,"
        + " drop Deactivated, drop Deactivated, drop Deactivated, drop Deactivated,"
        + " drop Deactivated",
    "deactivated and released,"
        + " drop Deactivated, drop Deactivated, drop Deactivated, drop Deactivated,"
        + " drop Deactivated",
    "deleted, drop Deleted, drop Deleted, drop Deleted, drop Deleted, drop Deleted",
    "deleted and created again,"
        + " drop Deleted, drop Deleted, drop Deleted, drop Deleted, drop Deleted",
    "deleting, drop Deleted, drop Deleted, drop Deleted, drop Deleted, drop Deleted",
    "check removed,"
        + " drop CheckRemoved, drop CheckRemoved, drop CheckRemoved, drop CheckRemoved,"
        + " drop CheckRemoved",
  })
  void everyCellOfTheTable(
      String situation,
      String ready,
      String pending,
      String retry,
      String rejected,
      String unchanged) {
    assertThat(situations()).containsKey(situation);
    Workload newest = situations().get(situation);
    assertThat(
            List.of(
                outcome(newest, "Ready"),
                outcome(newest, "Pending"),
                outcome(newest, "Retry"),
                outcome(newest, "Rejected"),
                outcome(newest, "Unchanged")))
        .containsExactly(ready, pending, retry, rejected, unchanged);
  }

  @Test
  void everySituationHasItsRow() throws NoSuchMethodException {
    CsvSource rows =
        FenceTest.class
            .getDeclaredMethod(
                "everyCellOfTheTable",
                String.class,
                String.class,
                String.class,
                String.class,
                String.class,
                String.class)
            .getAnnotation(CsvSource.class);
    List<String> names = new ArrayList<>();
    for (String row : rows.value()) {
      names.add(row.startsWith("'") ? row.split("'", 3)[1] : row.split(",", 2)[0]);
    }
    assertThat(names).containsExactlyElementsOf(situations().keySet());
  }

  @Test
  void aRetryOverwritesMessageDelayAndUpdatesAndMovesTheTime() {
    Workload newest =
        entry(
            reserved(T0),
            e -> e.withRetryCount(4).withPodSetUpdates(List.of(PodSetUpdate.of("main"))));

    AdmissionCheckState after = written(newest, VERDICTS.get("Retry"), NOW);

    assertThat(after)
        .isEqualTo(
            new AdmissionCheckState(
                "budget", CheckState.RETRY, NOW_SECOND, "full", 300, 4, List.of(), null));
  }

  @Test
  void aReadyCarriesItsUpdatesAndNoDelay() {
    Workload newest = entry(reserved(T0), e -> e.withRequeueAfterSeconds(7));

    AdmissionCheckState after = written(newest, VERDICTS.get("Ready"), NOW);

    assertThat(after.state()).isEqualTo(CheckState.READY);
    assertThat(after.requeueAfterSeconds()).isNull();
    assertThat(after.podSetUpdates()).containsExactly(PodSetUpdate.of("main"));
    assertThat(after.lastTransitionTime()).isEqualTo(NOW_SECOND);
  }

  @Test
  void aDelayOfZeroIsWrittenAndNoDelayIsAbsent() {
    Reason reason = Reason.of("Full");

    assertThat(
            written(reserved(T0), Verdict.retry(reason, "", Delay.exactly(Duration.ZERO)), NOW)
                .requeueAfterSeconds())
        .isZero();
    assertThat(
            written(reserved(T0), Verdict.retry(reason, "", Delay.none()), NOW)
                .requeueAfterSeconds())
        .isNull();
  }

  @Test
  void aMessageAloneKeepsTheTimeAndTheSameMessageIsNotWritten() {
    Workload reserved = reserved(T0);

    AdmissionCheckState after = written(reserved, VERDICTS.get("Pending"), NOW);

    assertThat(after.message()).isEqualTo("asking");
    assertThat(after.lastTransitionTime()).isEqualTo(T0);
    assertThat(decide(token(reserved), entry(reserved, e -> after), VERDICTS.get("Pending"), NOW))
        .isEqualTo(new Decision.Keep());
  }

  @Test
  void aRequestForPreemptionHoldsForTheReservationAndIsNotATransition() {
    AdmissionCheckState asked = written(reserved(T0), Verdict.pendingPreemption("no room"), NOW);

    assertThat(asked.preemptionRequested()).isTrue();
    assertThat(asked.state()).isEqualTo(CheckState.PENDING);
    assertThat(asked.lastTransitionTime()).isEqualTo(T0);
    Workload waiting = reserved(T0).withStatus(reserved(T0).status().withAdmissionCheck(asked));
    assertThat(written(waiting, Verdict.pending("soon"), NOW).preemptionRequested()).isTrue();
    assertThat(written(waiting, Verdict.ready("room"), NOW).preemptionRequested()).isTrue();
  }

  @Test
  void aTransitionIsNeverStampedBeforeItsReservation() {
    Instant slowClock = T0.minusSeconds(3600);

    assertThat(written(reserved(T0), VERDICTS.get("Rejected"), slowClock).lastTransitionTime())
        .isEqualTo(T0);
  }

  @Test
  void aRecheckedReadyIsTakenBackByRetryOrRejectedOnly() {
    Workload ready =
        entry(
            condition(reserved(T0), "Admitted", true, "Admitted", T0),
            e -> e.withState(CheckState.READY).withMessage("fine"));

    assertThat(decide(token(ready), ready, VERDICTS.get("Pending"), NOW))
        .isEqualTo(new Decision.Keep());
    assertThat(decide(token(ready), ready, VERDICTS.get("Unchanged"), NOW))
        .isEqualTo(new Decision.Keep());
    assertThat(decide(token(ready), ready, Verdict.ready("fine"), NOW))
        .isEqualTo(new Decision.Keep());
    assertThat(decide(token(ready), ready, VERDICTS.get("Retry"), NOW))
        .isInstanceOf(Decision.Write.class);
    AdmissionCheckState after =
        ((Decision.Write) decide(token(ready), ready, VERDICTS.get("Ready"), NOW)).after();
    assertThat(after.lastTransitionTime()).isEqualTo(T0);
    assertThat(after.podSetUpdates()).isNotEmpty();
  }

  @Test
  void anAnswerFromBeforeTheAdmissionTakesNothingBack() {
    Workload ready = entry(reserved(T0), e -> e.withState(CheckState.READY).withMessage("fine"));
    Workload admitted = condition(ready, "Admitted", true, "Admitted", T0);

    for (String name : List.of("Retry", "Rejected")) {
      Verdict verdict = Objects.requireNonNull(VERDICTS.get(name));
      assertThat(Fence.decide("budget", token(ready), ready, false, verdict, NOW))
          .isInstanceOf(Decision.Write.class);
      assertThat(Fence.decide("budget", token(ready), admitted, false, verdict, NOW))
          .isEqualTo(new Decision.DropAndEvaluateAnew(Cause.ADMITTED));
      assertThat(Fence.decide("budget", token(ready), admitted, true, verdict, NOW))
          .isInstanceOf(Decision.Write.class);
    }
    assertThat(Fence.decide("budget", token(ready), admitted, false, Verdict.ready("still"), NOW))
        .isInstanceOf(Decision.Write.class);
  }

  @Test
  void aMessageTooLongForTheApiIsCutBetweenCharacters() {
    AdmissionCheckState after =
        written(reserved(T0), Verdict.pending("x" + "\uD83D\uDE00".repeat(20_000)), NOW);

    assertThat(after.message()).hasSizeLessThanOrEqualTo(32768).endsWith("\uDE00 ...");
  }

  @Test
  void aBackoffMustBeResolvedFirst() {
    Verdict unresolved = Verdict.retry(Reason.of("Full"), "", Backoff.fixed(Duration.ofSeconds(1)));

    assertThatThrownBy(() -> decide(token(reserved(T0)), reserved(T0), unresolved, NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("resolved");
  }

  private static String outcome(@Nullable Workload newest, String verdict) {
    return switch (decide(token(reserved(T0)), newest, VERDICTS.get(verdict), NOW)) {
      case Decision.Write write -> "write";
      case Decision.Keep keep -> "keep";
      case Decision.Drop drop -> "drop " + drop.cause().label();
      case Decision.DropAndEvaluateAnew anew -> "anew " + anew.cause().label();
    };
  }

  static Decision decide(
      Token token, @Nullable Workload newest, @Nullable Verdict verdict, Instant now) {
    return Fence.decide("budget", token, newest, true, Objects.requireNonNull(verdict), now);
  }

  private static AdmissionCheckState written(
      Workload newest, @Nullable Verdict verdict, Instant now) {
    Decision decision = decide(token(newest), newest, verdict, now);
    assertThat(decision).isInstanceOf(Decision.Write.class);
    return ((Decision.Write) decision).after();
  }

  static Token token(Workload workload) {
    return Token.of(workload, "budget").orElseThrow();
  }

  /** Quota reserved at this time, the entry Pending since then. */
  static Workload reserved(Instant since) {
    Workload plain = withUid(Workload.named("team-a", "train"), "uid-1");
    Workload reserved =
        condition(plain, "QuotaReserved", true, "QuotaReserved", since)
            .withStatus(
                condition(plain, "QuotaReserved", true, "QuotaReserved", since)
                    .status()
                    .withAdmission(new Admission("cq", List.of()))
                    .withAdmissionChecks(
                        List.of(other(), AdmissionCheckState.pending("budget", since))));
    return reserved;
  }

  static Workload released(Workload workload, @Nullable String requeuedFalse) {
    Workload released =
        status(
            condition(workload, "QuotaReserved", false, "PendingEvaluation", T0.plusSeconds(3)),
            s -> s.withAdmission(null));
    released = condition(released, "Evicted", true, "AdmissionCheck", T0.plusSeconds(3));
    return requeuedFalse == null
        ? condition(released, "Requeued", true, "BackoffFinished", T0.plusSeconds(3))
        : condition(released, "Requeued", false, requeuedFalse, T0.plusSeconds(3));
  }

  static Workload condition(
      Workload workload, String type, boolean isTrue, String reason, Instant since) {
    List<Condition> conditions = new ArrayList<>(workload.status().conditions());
    conditions.removeIf(condition -> condition.type().equals(type));
    conditions.add(new Condition(type, isTrue ? "True" : "False", reason, "", since, null));
    return status(workload, s -> s.withConditions(conditions));
  }

  static Workload status(Workload workload, UnaryOperator<WorkloadStatus> change) {
    return workload.withStatus(change.apply(workload.status()));
  }

  static Workload entry(Workload workload, UnaryOperator<AdmissionCheckState> change) {
    AdmissionCheckState entry = workload.status().admissionCheck("budget").orElseThrow();
    return status(workload, s -> s.withAdmissionCheck(change.apply(entry)));
  }

  private static AdmissionCheckState other() {
    return AdmissionCheckState.pending("another", T0);
  }

  private static Workload withUid(Workload workload, String uid) {
    return workload.withMetadata(
        new V1ObjectMeta().namespace("team-a").name("train").uid(uid).resourceVersion("7"));
  }

  private static Workload deleting(Workload workload) {
    Workload copy = withUid(workload, "uid-1");
    copy.metadata()
        .setDeletionTimestamp(OffsetDateTime.ofInstant(T0.plusSeconds(4), ZoneOffset.UTC));
    return copy;
  }
}
