// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import static io.github.kueue4j.sdk.internal.fence.FenceTest.condition;
import static io.github.kueue4j.sdk.internal.fence.FenceTest.entry;
import static io.github.kueue4j.sdk.internal.fence.FenceTest.released;
import static io.github.kueue4j.sdk.internal.fence.FenceTest.reserved;
import static io.github.kueue4j.sdk.internal.fence.FenceTest.status;
import static io.github.kueue4j.sdk.internal.fence.FenceTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The early end of a check's own delay ({@code docs/lifecycle.md#the-side-of-the-checks}). */
class FenceEndDelayTest {

  private static final Instant T0 = Instant.parse("2026-06-01T12:00:00Z");
  private static final Instant RETRIED = T0.plusSeconds(2);
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
  void theChecksOwnDelayEndsAndNothingElse() {
    Decision decision = endDelay(token(backoff), backoff);

    AdmissionCheckState after =
        new AdmissionCheckState("budget", CheckState.RETRY, RETRIED, "room", 0, 2, List.of(), null);
    assertThat(decision)
        .isEqualTo(
            new Decision.Write(backoff.status().admissionCheck("budget").orElseThrow(), after));
    assertThat(endDelay(token(backoff), entry(backoff, e -> after))).isEqualTo(new Decision.Keep());
  }

  @Test
  void aBaseThatTheCoreRecordedMeansAskAgain() {
    Workload recorded = entry(backoff, e -> e.withLastTransitionTime(T0.plusSeconds(5)));

    assertThat(endDelay(token(backoff), recorded))
        .isEqualTo(new Decision.DropAndEvaluateAnew(Cause.BASE_RECORDED));
  }

  @Test
  void anotherRoundOfBackoffIsNotThisOne() {
    Workload later =
        condition(backoff, "QuotaReserved", false, "PendingEvaluation", T0.plusSeconds(40));

    assertThat(endDelay(token(backoff), later))
        .isEqualTo(new Decision.Drop(Cause.OTHER_RESERVATION));
  }

  @Test
  void onceRequeuedTheWakeIsOver() {
    Workload queued =
        status(
            released(reserved(T0), null),
            s -> s.withAdmissionCheck(AdmissionCheckState.pending("budget", T0.plusSeconds(50))));

    assertThat(endDelay(token(backoff), queued)).isEqualTo(new Decision.Drop(Cause.NOT_RESERVED));
    assertThat(endDelay(token(backoff), reserved(T0.plusSeconds(55))))
        .isEqualTo(new Decision.Drop(Cause.OTHER_RESERVATION));
  }

  /** The Retry that was to end is another check's answer, or none any more. */
  @Test
  void anEntryThatWasResetHasNoDelayToEnd() {
    assertThat(endDelay(token(backoff), entry(backoff, e -> e.withState(CheckState.PENDING))))
        .isEqualTo(new Decision.Drop(Cause.ENTRY_RESET));
    assertThat(endDelay(token(backoff), status(backoff, s -> s.withAdmissionChecks(List.of()))))
        .isEqualTo(new Decision.Drop(Cause.CHECK_REMOVED));
  }

  private static Decision endDelay(Token token, Workload newest) {
    return Fence.endDelay("budget", token, newest, "room");
  }
}
