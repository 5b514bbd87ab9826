// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckRetryLimits;
import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code spec.retryLimits} of an AdmissionCheck. */
class RetryLimitsTest {

  private static Situation limited(
      WorkloadBuilder workload, @Nullable Duration maxDelay, @Nullable Integer maxRetries) {
    CheckPolicy check = CheckPolicy.of("a").withLimits(new RetryLimits(maxDelay, maxRetries));
    return workload.situation().withChecks(RequiredChecks.of(List.of(check)));
  }

  @ParameterizedTest
  @CsvSource({
    "600, 60, 60, cut to retryLimits.maxDelay",
    "60, 60, 60, (1m)",
    "100000, 90000, 86400, cut to maximumRetryDelay",
    "60, 0, 1, Retry state",
  })
  void aDelayIsCutToTheSmallerMaximum(int asked, int most, int counted, String told) {
    Situation reserved =
        limited(workload().reserved(10).retry("a", 20, asked), Duration.ofSeconds(most), null);

    Outcome outcome = Outcome.plan(reserved, 20).requeueAt(20.0 + counted);
    assertThat(outcome.message("Requeued")).contains(told);
  }

  @Test
  void aComputedDelayIsCutAndRecordedSo() {
    CheckPolicy check =
        CheckPolicy.of("a")
            .withRetry(RetryPolicy.fixed(Duration.ofHours(1)))
            .withLimits(new RetryLimits(Duration.ofMinutes(1), null));
    Situation reserved =
        workload()
            .reserved(10)
            .retry("a", 20)
            .situation()
            .withChecks(RequiredChecks.of(List.of(check)));

    Outcome.plan(reserved, 20).requeueAt(80.0).entries("a=Retry@20+60");
  }

  @Test
  void oneRetryMoreThanTheLimitFreesTheQuotaAndThenDeactivates() {
    Situation reserved =
        limited(workload().reserved(10).entry("a", CheckState.RETRY, 20, 60, 2), null, 2);
    Outcome evicted = Outcome.plan(reserved, 20).by(Rule.EVICT_FOR_RETRY).released();

    Situation backoff = evicted.applied(reserved);
    Outcome limit = Outcome.plan(backoff, 20).by(Rule.LIMIT_EXCEEDED);
    assertThat(limit.eventReasons()).containsExactly("AdmissionCheckRetryLimitExceeded");
    assertThat(limit.message("DeactivationTarget"))
        .isEqualTo(
            "exceeding the maximum number of Retries of AdmissionCheck a (retryLimits.maxRetries"
                + " 2); its last message: a is Retry");

    Situation target = limit.applied(backoff);
    Outcome inactive = Outcome.plan(target, 20).by(Rule.DEACTIVATE);
    Situation deactivated = inactive.applied(target);
    Outcome.plan(deactivated, 20)
        .by(Rule.DEACTIVATE)
        .phase(Phase.DEACTIVATED)
        .requeueAt(null)
        .entries("a=Pending@20")
        .condition("Requeued", "False(DeactivatedDueToAdmissionCheckRetryLimitExceeded)@20");
  }

  @Test
  void theLimitItselfIsWaitedOut() {
    Situation backoff =
        limited(
            workload()
                .heldFor("AdmissionCheck")
                .entry("a", CheckState.RETRY, 20, 60, 1)
                .requeueAt(80),
            null,
            2);

    Outcome.plan(backoff, 30).nothing().wakesAt(80.0);
    Outcome.plan(backoff, 80).by(Rule.REQUEUE).entries("a=Pending@80#2");
  }

  @Test
  void aLateRetryWhileEvictingCountsToo() {
    Situation evicting =
        limited(
            workload()
                .admitted(10)
                .evicted("Preempted", 15)
                .entry("a", CheckState.RETRY, 16, 60, 5),
            null,
            5);

    Outcome.plan(evicting, 16).by(Rule.LIMIT_EXCEEDED).stillReserved();
  }

  @Test
  void valuesOutOfRangeCountAsTheirBound() {
    assertThat(RetryLimits.of(new AdmissionCheckRetryLimits(Duration.ofSeconds(-1), 0)))
        .isEqualTo(new RetryLimits(Duration.ZERO, 1));
    assertThat(RetryLimits.of(null)).isEqualTo(new RetryLimits(null, null));
  }
}
