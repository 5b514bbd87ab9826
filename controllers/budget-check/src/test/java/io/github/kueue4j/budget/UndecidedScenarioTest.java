// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.budget.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of Workloads that can't be decided, and what ends that. */
@KueueTest(start = "2026-06-01T20:00:00Z")
class UndecidedScenarioTest {

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
  void withoutABudgetQuotaIsGivenBackUntilThereIsOne() {
    situation.policy("daily", DAILY.replace("limit: 100", "budgets: Override")).run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.awaitState("budget", CheckState.PENDING)
        .await("the reason", w -> job.entry("budget").message().startsWith("The namespace has no"));

    situation.awaitWhileTimePasses(() -> job.entry("budget").is(CheckState.RETRY));

    assertThat(message(job, CheckState.RETRY)).startsWith("The namespace has no budget:");
    assertThat(job.entry("budget").requeueAfterSeconds()).isBetween(300, 360);
    job.backOff();
    situation.budget("ours", "{policy: daily, limit: 50}");
    job.awaitDelayEnded("budget").requeueAtOnce().reserve();
    assertThat(message(job, CheckState.READY)).startsWith("Reserved 20 EUR, 30 EUR");
  }

  /** A Budget for one LocalQueue, or a misspelt one, frees no other. */
  @Test
  void aLocalQueueWithoutALimitWaitsBesideOneThatHasOne() {
    situation.policy("daily", DAILY.replace("limit: 100", "budgets: Override")).run();
    situation.budget("ours", "{policy: daily, localQueue: scrip, limit: 50}");

    PlayedWorkload job = situation.workload("job", 2, 10).reserve();

    job.awaitMessage(
        "budget",
        "The LocalQueue 'script' has no budget: neither the BudgetPolicy 'daily' nor a Budget that"
            + " it honours has a limit for it.");
    assertThat(job.entry("budget").is(CheckState.PENDING)).isTrue();
  }

  @Test
  void aBudgetThatLimitsNothingOrWhatAnotherLimitsSaysSo() {
    situation.policy("daily", DAILY + "budgets: Override\n").run();
    String spec = "{policy: daily, localQueue: reserch, limit: 50}";
    situation.budget("ours", spec);
    String holds = "It holds in place of the policy's limit.";
    String missing = " This namespace has no LocalQueue 'reserch'";
    situation.awaitBudget(
        "ours", holds + missing + ", so nothing is limited by it now.", "\"status\":\"True\"");

    situation.localQueue("research");
    situation.budget("theirs", spec);
    situation.awaitWhileTimePasses(
        () ->
            situation
                .budgetStatus("ours")
                .contains(
                    holds
                        + missing
                        + "; did you mean 'research'? Other Budgets limit the same, and the lowest"
                        + " limit holds: delete all but one of this and 'theirs'."));

    situation.localQueue("reserch");
    situation.budget("theirs", "{policy: daily, limit: 50}");
    situation.awaitWhileTimePasses(
        () -> situation.budgetStatus("ours").contains("\"message\":\"" + holds + "\""));
  }

  @Test
  void aBudgetOfANamespaceThatIsNotSelectedSaysSo() {
    String elsewhere = "namespaceSelector: {matchLabels: {team: research}}\n";
    situation.policy("daily", DAILY + elsewhere).run();

    situation.budget("ours", "{policy: daily, limit: 50}");

    situation.awaitBudget("ours", "doesn't select this namespace", "\"status\":\"False\"");
  }

  @Test
  void aMissingPriceEndsTheHoldingOfQuotaAndOneThatIsAddedTheDelay() {
    String spot = "{resource: cpu, flavor: spot, price: 1}";
    String ofSpot = DAILY.replace("{resource: cpu, price: 1}", spot);
    situation.policy("daily", ofSpot).run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.await("the reason", w -> job.entry("budget").message().contains("has no price of cpu"));
    assertThat(job.entry("budget").is(CheckState.PENDING)).isTrue();
    situation.awaitWhileTimePasses(() -> job.entry("budget").is(CheckState.RETRY));
    assertThat(message(job, CheckState.RETRY)).contains("has no price of cpu");
    job.backOff();

    situation.policyOnly("daily", DAILY.replace("prices: [", "prices: [" + spot + ", "));

    job.awaitDelayEnded("budget").requeueAtOnce().reserve();
    assertThat(message(job, CheckState.READY)).startsWith("Reserved 20 EUR, 80 EUR");
  }

  @Test
  void aNamespaceThatIsNoLongerSelectedEndsTheDelay() {
    String selective =
        "namespaceSelector: {matchExpressions: [{key: free, operator: DoesNotExist}]}\n";
    situation.policy("daily", DAILY.replace("limit: 100\n", "") + selective).run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.await("the reason", w -> job.entry("budget").message().contains("has no budget"));
    situation.awaitWhileTimePasses(() -> job.entry("budget").is(CheckState.RETRY));
    job.backOff();

    situation.cluster.apply(
        "{apiVersion: v1, kind: Namespace, metadata: {name: default, labels: {free: 'yes'}}}");

    job.awaitDelayEnded("budget").requeueAtOnce().reserve();
    assertThat(message(job, CheckState.READY)).contains("doesn't select the namespace");
  }
}
