// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.fence;

import static io.github.kueue4j.sdk.fence.FenceTest.condition;
import static io.github.kueue4j.sdk.fence.FenceTest.decide;
import static io.github.kueue4j.sdk.fence.FenceTest.entry;
import static io.github.kueue4j.sdk.fence.FenceTest.released;
import static io.github.kueue4j.sdk.fence.FenceTest.reserved;
import static io.github.kueue4j.sdk.fence.FenceTest.status;
import static io.github.kueue4j.sdk.fence.FenceTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A check that is woken in its own backoff ({@code docs/lifecycle.md#the-side-of-the-checks}). */
class FenceWakeTest {

  private static final Instant T0 = Instant.parse("2026-06-01T12:00:00Z");
  private static final Instant RETRIED = T0.plusSeconds(2);
  private static final Instant NOW = T0.plusSeconds(60);
  private static final Verdict RETRY =
      Verdict.retry(Reason.of("Full"), "still full", Delay.exactly(Duration.ofMinutes(8)));

  private final Workload backoff =
      entry(
          released(reserved(T0), "AdmissionCheck"),
          e ->
              e.withState(CheckState.RETRY)
                  .withLastTransitionTime(RETRIED)
                  .withMessage("full")
                  .withRequeueAfterSeconds(600)
                  .withRetryCount(2));

  @Test
  void endDelayReadyOrPendingEndsTheChecksOwnDelayAndNothingElse() {
    for (Verdict verdict :
        List.of(Verdict.endDelay("room"), Verdict.ready("room"), Verdict.pending("room"))) {
      AdmissionCheckState after = written(backoff, verdict);

      assertThat(after)
          .isEqualTo(
              new AdmissionCheckState(
                  "budget", CheckState.RETRY, RETRIED, "room", 0, 2, List.of(), null));
      assertThat(decide(token(backoff), entry(backoff, e -> after), verdict, NOW))
          .isEqualTo(new Decision.Keep());
    }
  }

  @Test
  void anotherRetryIsANewRetryEvenInTheSameSecond() {
    assertThat(written(backoff, RETRY).lastTransitionTime()).isEqualTo(NOW);
    assertThat(written(backoff, RETRY).requeueAfterSeconds()).isEqualTo(480);

    Decision sameSecond = decide(token(backoff), backoff, RETRY, RETRIED);
    assertThat(((Decision.Write) sameSecond).after().lastTransitionTime())
        .isEqualTo(T0.plusSeconds(3));
  }

  @Test
  void aRejectionStillCounts() {
    AdmissionCheckState after = written(backoff, Verdict.rejected(Reason.of("Never"), "never"));

    assertThat(after.state()).isEqualTo(CheckState.REJECTED);
    assertThat(after.lastTransitionTime()).isEqualTo(NOW);
    assertThat(after.requeueAfterSeconds()).isNull();
  }

  @Test
  void unchangedWritesNothing() {
    assertThat(decide(token(backoff), backoff, Verdict.unchanged("down"), NOW))
        .isEqualTo(new Decision.Keep());
  }

  @Test
  void aBaseThatTheCoreRecordedMeansAskAgain() {
    Workload recorded = entry(backoff, e -> e.withLastTransitionTime(T0.plusSeconds(5)));

    assertThat(decide(token(backoff), recorded, RETRY, NOW))
        .isEqualTo(new Decision.DropAndEvaluateAnew(Cause.BASE_RECORDED));
  }

  @Test
  void anotherRoundOfBackoffIsNotThisOne() {
    Workload later =
        condition(backoff, "QuotaReserved", false, "PendingEvaluation", T0.plusSeconds(40));

    assertThat(decide(token(backoff), later, Verdict.ready(""), NOW))
        .isEqualTo(new Decision.Drop(Cause.OTHER_RESERVATION));
  }

  @Test
  void onceRequeuedTheWakeIsOver() {
    Workload queued =
        status(
            released(reserved(T0), null),
            s -> s.withAdmissionCheck(AdmissionCheckState.pending("budget", T0.plusSeconds(50))));

    for (Verdict verdict :
        List.of(Verdict.endDelay(""), Verdict.ready(""), RETRY, Verdict.pending(""))) {
      assertThat(decide(token(backoff), queued, verdict, NOW))
          .isEqualTo(new Decision.Drop(Cause.NOT_RESERVED));
      assertThat(decide(token(backoff), reserved(T0.plusSeconds(55)), verdict, NOW))
          .isEqualTo(new Decision.Drop(Cause.OTHER_RESERVATION));
    }
  }

  /** No evaluation with quota may end a delay: not even one that comes too late. */
  @Test
  void endDelayOutsideOfTheOwnDelayWritesNothing() {
    Workload pending = reserved(T0);

    assertThat(decide(token(pending), pending, Verdict.endDelay("room"), NOW))
        .isEqualTo(new Decision.Keep());
    assertThat(decide(token(pending), backoff, Verdict.endDelay("room"), NOW))
        .isEqualTo(new Decision.Drop(Cause.NOT_RESERVED));
    assertThat(
            decide(
                token(pending),
                released(reserved(T0), "AdmissionCheck"),
                Verdict.endDelay("room"),
                NOW))
        .isEqualTo(new Decision.Drop(Cause.EVICTED));
  }

  private AdmissionCheckState written(Workload newest, Verdict verdict) {
    Decision decision = decide(token(newest), newest, verdict, NOW);
    assertThat(decision).isInstanceOf(Decision.Write.class);
    return ((Decision.Write) decision).after();
  }
}
