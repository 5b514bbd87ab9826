// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetCheckTest {

  /** Ten in the morning in Berlin. */
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");

  private static final Instant YESTERDAY = Instant.parse("2026-05-31T21:59:59Z");
  private static final Instant TODAY = Instant.parse("2026-05-31T22:00:00Z");

  private final FakeObjects<V1ConfigMap> budgets = new FakeObjects<>();
  private final FakeObjects<Workload> workloads = new FakeObjects<>();
  private final BudgetCheck check = new BudgetCheck(BudgetOptions.defaults(), budgets, workloads);

  @Test
  void aNamespaceWithoutABudgetHasNoLimit() {
    assertThat(check.evaluate(evaluation(pending("a", 1000))))
        .isEqualTo(Verdict.ready("The namespace has no daily budget."));
  }

  @Test
  void whatIsLeftAfterTodaysChargesDecides() {
    budget(Map.of("amount", "100", "timeZone", "Europe/Berlin", "hours", "2"));
    workloads.put(decided("ready today", CheckState.READY, TODAY, 20));
    workloads.put(decided("ready yesterday", CheckState.READY, YESTERDAY, 40));
    workloads.put(decided("sent back", CheckState.RETRY, TODAY, 40));
    workloads.put(finished(decided("finished", CheckState.READY, TODAY, 10)));

    assertThat(check.evaluate(evaluation(pending("fits", 20))))
        .isEqualTo(Verdict.ready("Charged 40, 0 of today's 100 left."));
  }

  @Test
  void anotherNamespaceHasItsOwnAccount() {
    budget(Map.of("amount", "10"));
    Workload other = decided("other", CheckState.READY, NOW, 10);
    workloads.put(
        other.withMetadata(new V1ObjectMeta().namespace("team-b").name("other").uid("other")));

    assertThat(check.evaluate(evaluation(pending("a", 10)))).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void onceTheBudgetIsSpentWorkloadsWaitForMidnightWhereTheyAre() {
    budget(Map.of("amount", "100", "timeZone", "Europe/Berlin", "hours", "10"));
    workloads.put(decided("spent", CheckState.READY, TODAY, 10));

    Verdict verdict = check.evaluate(evaluation(pending("late", 1)));

    Verdict.Retry retry = retry(verdict);
    assertThat(retry.reason()).hasToString("DailyBudgetExhausted");
    assertThat(retry.message()).isEqualTo("Daily budget exhausted. Will retry at midnight.");
    assertThat(retry.delay().resolve(3, NOW, new Random(1)).orElseThrow())
        .isBetween(Duration.ofHours(14), Duration.ofHours(14).plusMinutes(1));
  }

  @Test
  void aLimitOnTheRuntimeSetsThePrice() {
    budget(Map.of("amount", "10", "hours", "100"));
    Workload brief = pending("brief", 4);
    Workload limited = brief.withSpec(brief.spec().withMaximumExecutionTimeSeconds(5400));

    assertThat(check.evaluate(evaluation(limited)))
        .isEqualTo(Verdict.ready("Charged 6, 4 of today's 10 left."));
  }

  @Test
  void resourcesHaveTheirOwnPrices() {
    budget(Map.of("amount", "100", "prices", "cpu: 0.5\n nvidia.com/gpu : 3\n"));

    assertThat(check.evaluate(evaluation(pending("mixed", 4))))
        .isEqualTo(Verdict.ready("Charged 14, 86 of today's 100 left."));
  }

  @Test
  void whatCostsMoreThanADaySaysSo() {
    budget(Map.of("amount", "5"));

    Verdict.Retry retry = retry(check.evaluate(evaluation(pending("huge", 6))));

    assertThat(retry.reason()).hasToString("CostExceedsDailyBudget");
    assertThat(retry.message()).startsWith("The workload costs 6, more than the daily budget of 5");
  }

  @Test
  void whatWasJustGivenAwayIsNotGivenAwayAgainBeforeTheWatchShowsIt() {
    budget(Map.of("amount", "10"));
    Workload first = pending("first", 10);
    Workload second = pending("second", 10);
    workloads.put(first);
    workloads.put(second);

    assertThat(check.evaluate(evaluation(first))).isInstanceOf(Verdict.Ready.class);
    assertThat(check.evaluate(evaluation(second))).isInstanceOf(Verdict.Retry.class);

    // The verdict on the first was dropped, since it was evicted meanwhile.
    workloads.put(
        first.withStatus(
            first
                .status()
                .withConditions(List.of(Condition.isFalse("QuotaReserved", "Pending", "", NOW)))));
    assertThat(check.evaluate(evaluation(second))).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aVerdictThatBecomesVisibleWhileSpendingIsCountedCountsOnce() {
    budget(Map.of("amount", "10"));
    Workload first = pending("first", 6);
    workloads.put(first);
    assertThat(check.evaluate(evaluation(first))).isInstanceOf(Verdict.Ready.class);

    workloads.afterNextRead(() -> workloads.put(decided("first", CheckState.READY, NOW, 6)));
    assertThat(check.evaluate(evaluation(pending("second", 5)))).isInstanceOf(Verdict.Retry.class);
    workloads.put(first);
    workloads.afterNextRead(() -> workloads.put(decided("first", CheckState.READY, NOW, 6)));
    assertThat(check.evaluate(evaluation(pending("third", 4)))).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aBudgetThatIsRaisedEndsTheWaitAndOneThatIsNotDoesNotBeginItAnew() {
    budget(Map.of("amount", "5"));
    Workload waiting = decided("waiting", CheckState.RETRY, TODAY, 6);

    assertThat(check.evaluate(evaluation(waiting))).isInstanceOf(Verdict.Unchanged.class);
    budget(Map.of("amount", "6"));
    assertThat(check.evaluate(evaluation(waiting)))
        .isEqualTo(
            Verdict.endDelay(
                "The budget suffices now: the workload costs 6, and 6 of today's 6 are left."));
    // Nothing was given away yet: the next reservation asks again.
    assertThat(check.evaluate(evaluation(pending("another", 6)))).isInstanceOf(Verdict.Ready.class);
  }

  @ParameterizedTest
  @CsvSource({
    "amount, ten, is not a number",
    "amount, -1, negative",
    "timeZone, Mars/Base, unknown",
    "hours, soon, is not a number",
    "prices, cpu 1, is not 'resource: price'",
    "prices, cpu: x, is not a number",
    "color, red, unknown key 'color'"
  })
  void anInvalidBudgetSaysWhatToCorrect(String key, String value, String message) {
    budget(key.equals("amount") ? Map.of(key, value) : Map.of("amount", "10", key, value));

    Verdict.Retry retry = retry(check.evaluate(evaluation(pending("a", 1))));

    assertThat(retry.reason()).hasToString("InvalidBudget");
    assertThat(retry.message()).contains("daily-budget").contains(message);
  }

  @Test
  void aBudgetWithoutAnAmountMakesNoSense() {
    budget(Map.of("hours", "1"));

    assertThat(retry(check.evaluate(evaluation(pending("a", 1)))).message())
        .contains("'amount' is missing");
  }

  private void budget(Map<String, String> data) {
    budgets.put(
        new V1ConfigMap()
            .metadata(new V1ObjectMeta().namespace("team-a").name("daily-budget"))
            .data(data));
  }

  private static Workload pending(String name, long cpus) {
    return decided(name, CheckState.PENDING, NOW, cpus);
  }

  private static Workload decided(String name, CheckState state, Instant since, long cpus) {
    Map<String, Quantity> usage =
        Map.of("cpu", Quantity.of(cpus), "nvidia.com/gpu", Quantity.of(cpus));
    return Evaluations.reserved(
        "team-a",
        name,
        new PodSetAssignment("main", Map.of(), usage, 1),
        AdmissionCheckState.pending("budget", since).withState(state).withRetryCount(3),
        since);
  }

  private static Workload finished(Workload workload) {
    List<Condition> conditions = new ArrayList<>(workload.status().conditions());
    conditions.add(Condition.isTrue("Finished", "Succeeded", "", NOW));
    return workload.withStatus(workload.status().withConditions(conditions));
  }

  private static Evaluation<NoParameters> evaluation(Workload workload) {
    return Evaluations.of(
        workload, workload.status().admissionCheck("budget").orElseThrow(), Map.of(), NOW);
  }
}
