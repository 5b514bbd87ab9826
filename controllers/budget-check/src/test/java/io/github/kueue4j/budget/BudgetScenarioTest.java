// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.budget.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check on an API server, with the queue controller played by hand. */
@KueueTest(start = "2026-06-01T20:00:00Z")
class BudgetScenarioTest {

  private static final String DAILY =
      """
      limit: 100
      unit: EUR
      prices: [{resource: cpu, price: 1}]
      window: {type: Daily}
      """;

  private Situation situation;

  @BeforeEach
  void begin(KueueCluster cluster) {
    situation = new Situation(cluster);
  }

  @AfterEach
  void end() {
    situation.close();
  }

  @Test
  void whatIsReservedIsGoneAndWhatDidntRunComesBack() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload first = situation.workload("first", 8, 10).reserve();
    assertThat(message(first, CheckState.READY))
        .isEqualTo("Reserved 80 EUR, 20 EUR of today's 100 EUR left.");
    PlayedWorkload second = situation.workload("second", 8, 10).reserve();
    assertThat(message(second, CheckState.RETRY))
        .startsWith(
            "Daily budget exhausted. Will retry at midnight. The Workload costs 80 EUR, and")
        .endsWith("80 EUR (0 spent, 80 reserved) of 100 EUR are used.");
    assertThat(second.entry("budget").requeueAfterSeconds()).isBetween(4 * 3600, 4 * 3600 + 181);
    second.backOff();

    first.admit();
    situation.cluster.advance(Duration.ofMinutes(30));
    first.finish();

    Ledger settled = situation.awaitLedger("daily", ledger -> ledger.open().isEmpty());
    assertThat(use(settled)).isEqualTo(new Use(Amount.units(4), Amount.ZERO));
    second.awaitDelayEnded("budget").requeueAtOnce().reserve();
    assertThat(message(second, CheckState.READY))
        .isEqualTo("Reserved 80 EUR, 16 EUR of today's 100 EUR left.");
  }

  @Test
  void aRunAcrossMidnightCountsInBothDaysAndDeletingTheWorkloadRefundsNothingThatRan() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload night = situation.workload("night", 10, 6).reserve();
    night.admit();
    situation.awaitLedger("daily", ledger -> started(ledger));
    situation.cluster.advance(Duration.ofHours(5));
    // A timer that is set only now counts from now.
    night.poke();

    Ledger today = situation.awaitLedger("daily", ledger -> ledger.since().equals(midnight()));
    assertThat(use(today)).isEqualTo(new Use(Amount.units(10), Amount.units(10)));

    night.delete();
    Ledger settled = situation.awaitLedger("daily", ledger -> ledger.open().isEmpty());
    assertThat(use(settled)).isEqualTo(new Use(Amount.units(10), Amount.ZERO));
  }

  @Test
  void anEvictionBeforeTheStartGivesEverythingBack() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload job = situation.workload("job", 10, 6).reserve();
    job.awaitState("budget", CheckState.READY).evict("Preempted").release();

    Ledger settled = situation.awaitLedger("daily", ledger -> ledger.settled() == 1);
    assertThat(use(settled)).isEqualTo(Use.NONE);
    job.requeue().reserve();
    assertThat(message(job, CheckState.READY)).startsWith("Reserved 60 EUR, 40 EUR");
  }

  @Test
  void whatHappensWhileNoControllerRunsIsEnteredLater() {
    situation.policy("daily", DAILY);
    RunningController controller = situation.run();
    PlayedWorkload gone = situation.workload("gone", 1, 10).reserve();
    PlayedWorkload evicted = situation.workload("evicted", 1, 10).reserve();
    PlayedWorkload finished = situation.workload("finished", 1, 10).reserve();
    gone.admit();
    evicted.awaitState("budget", CheckState.READY);
    finished.admit();
    situation.awaitLedger(
        "daily",
        ledger ->
            ledger.open().values().stream().filter(one -> one.startedAt() != null).count() == 2);
    controller.stop();
    situation.cluster.advance(Duration.ofMinutes(60));
    gone.delete();
    finished.finish();
    evicted.evict("Preempted").release();
    situation.cluster.advance(Duration.ofMinutes(60));
    controller.start();

    Ledger settled = situation.awaitLedger("daily", ledger -> ledger.open().isEmpty());
    // When the deleted one ended is not known: it counts until it was missed.
    assertThat(use(settled)).isEqualTo(new Use(Amount.units(3), Amount.ZERO));
  }

  @Test
  void aRaisedLimitEndsTheWaitAtOnce() {
    situation.policy("daily", DAILY).run();
    situation.workload("first", 10, 10).reserve().awaitState("budget", CheckState.READY);
    PlayedWorkload second = situation.workload("second", 5, 10).reserve();
    second.awaitState("budget", CheckState.RETRY).backOff();

    situation.policyOnly("daily", DAILY.replace("100", "150"));

    second.awaitDelayEnded("budget").requeueAtOnce().reserve();
    assertThat(message(second, CheckState.READY))
        .isEqualTo("Reserved 50 EUR, 0 EUR of today's 150 EUR left.");
  }

  @Test
  void atMidnightTheBudgetIsWholeAgain() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload first = situation.workload("first", 50, 2).reserve();
    first.admit();
    PlayedWorkload second = situation.workload("second", 50, 2).reserve();
    second.awaitState("budget", CheckState.RETRY).backOff();
    situation.cluster.advance(Duration.ofHours(2));
    first.finish();
    situation.awaitLedger("daily", ledger -> ledger.open().isEmpty());

    second.requeue().reserve();

    assertThat(situation.cluster.time().instant()).isAfterOrEqualTo(midnight());
    assertThat(message(second, CheckState.READY))
        .isEqualTo("Reserved 100 EUR, 0 EUR of today's 100 EUR left.");
  }

  @Test
  void twoReplicasThatDecideAtOnceGiveTheLastHourOnce() {
    situation.policy("daily", DAILY);
    situation.run();
    situation.run();
    List<PlayedWorkload> all =
        IntStream.range(0, 12).mapToObj(i -> situation.workload("w" + i, 1, 10)).toList();
    all.forEach(PlayedWorkload::reserve);

    long ready =
        all.stream()
            .map(
                one ->
                    one.await("an answer", w -> !one.entry("budget").is(CheckState.PENDING))
                        .entry("budget"))
            .filter(entry -> entry.is(CheckState.READY))
            .count();

    assertThat(ready).isEqualTo(10);
    assertThat(use(situation.awaitLedger("daily", ledger -> ledger.open().size() == 10)).total())
        .isEqualTo(Amount.units(100));
  }

  @Test
  void aNamespaceWithoutALimitWaitsForItsBudgetWhoseStatusShowsWhatIsUsed() {
    situation
        .policy("daily", DAILY.replace("limit: 100", "budgets: Override\nsoftLimitPercent: 30"))
        .run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.awaitMessage(
        "budget",
        "The namespace has no budget: neither the BudgetPolicy 'daily' nor a Budget that it"
            + " honours has a limit for it.");

    situation.budget("ours", "{policy: daily, limit: 50}");

    assertThat(message(job, CheckState.READY))
        .isEqualTo(
            "Reserved 20 EUR, 30 EUR of today's 50 EUR left. Warning: more than 30 % of the budget"
                + " is used.");
    situation.awaitEvent("Warning: more than 30 % of the budget is used.");
    situation.awaitBudget(
        "ours",
        "\"limit\":\"50 EUR\"",
        "\"reserved\":\"20 EUR\"",
        "\"remaining\":\"30 EUR\"",
        "\"resetsAt\":\"2026-06-02T00:00:00Z\"",
        "\"localQueues\":[{",
        "\"name\":\"script\"",
        "It holds in place of the policy's limit.",
        "More is used than the policy's softLimitPercent of the limit.");
    assertThat(KueueJson.toTree(situation.ledgerObject("daily").orElseThrow()).toString())
        .contains("\"remaining\":\"30 EUR\"", "\"asOf\":\"2026-06-01T");
    situation.awaitCounted("daily", counted -> counted.namespaces().equals(Optional.of(1)));
    assertThat(situation.counted("daily").exhausted()).contains(0);

    situation.policyOnly("daily", DAILY);
    situation.awaitBudget("ours", "honours no Budgets", "\"status\":\"False\"");
    assertThat(situation.budgetStatus("ours")).doesNotContain("remaining");
  }

  @Test
  void aRunningWorkloadIsWarnedAndEvictedWhenTheBudgetIsLoweredWherePoliciesSaySo() {
    String evicting = DAILY + "whileRunning: {evict: true, gracePeriod: 2h}\n";
    situation.policy("daily", evicting).run();
    PlayedWorkload old = situation.workload("old", 3, 10).reserve();
    old.admit();
    situation.cluster.advance(Duration.ofMinutes(2));
    PlayedWorkload young = situation.workload("young", 3, 10).reserve();
    young.admit();

    situation.policyOnly("daily", evicting.replace("100", "40"));
    situation.awaitWhileTimePasses(() -> isOver("young"));
    assertThat(young.entry("budget").is(CheckState.READY)).isTrue();
    situation.awaitEvent("The budget of the BudgetPolicy 'daily' is exceeded");
    situation.cluster.advance(Duration.ofHours(2));
    situation.awaitWhileTimePasses(() -> young.entry("budget").is(CheckState.RETRY));

    assertThat(message(young, CheckState.RETRY))
        .startsWith("The budget of the BudgetPolicy 'daily'");
    assertThat(old.entry("budget").is(CheckState.READY)).isTrue();
  }

  @Test
  void whatWasPromisedToOneThatDoesNotComeIsOfferedToOthers() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload first = situation.workload("first", 10, 10).reserve();
    first.awaitState("budget", CheckState.READY);
    List<PlayedWorkload> waiting =
        List.of(
            situation.workload("second", 8, 10).reserve(),
            situation.workload("third", 8, 10).reserve());
    waiting.forEach(one -> one.awaitState("budget", CheckState.RETRY).backOff());

    first.evict("Preempted").release();

    Awaitility.await().until(() -> waiting.stream().anyMatch(BudgetScenarioTest::delayEnded));
    PlayedWorkload promised =
        waiting.stream().filter(BudgetScenarioTest::delayEnded).findFirst().orElseThrow();
    PlayedWorkload other =
        waiting.stream().filter(one -> one != promised).findFirst().orElseThrow();
    // It is queued again, but gets no quota.
    promised.requeueAtOnce();
    situation.awaitWhileTimePasses(() -> delayEnded(other));
  }

  private static boolean delayEnded(PlayedWorkload workload) {
    return Objects.equals(workload.entry("budget").requeueAfterSeconds(), 0);
  }

  private boolean isOver(String workload) {
    return situation.ledgerObject("daily").orElseThrow().ledger().open().values().stream()
        .anyMatch(one -> one.workload().equals(workload) && one.overSince() != null);
  }

  private static boolean started(Ledger ledger) {
    return ledger.open().values().stream().anyMatch(one -> one.startedAt() != null);
  }

  private Use use(Ledger ledger) {
    return ledger.use(Window.daily(ZoneOffset.UTC), situation.cluster.time().instant(), "");
  }

  private static Instant midnight() {
    return Instant.parse("2026-06-02T00:00:00Z");
  }
}
