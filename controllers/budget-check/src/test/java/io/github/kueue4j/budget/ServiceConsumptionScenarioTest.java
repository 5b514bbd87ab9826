// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.budget.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.budget.consumption.FakeService;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A service of the administrator's tells what was spent. */
@KueueTest(start = "2026-06-01T20:00:00Z")
class ServiceConsumptionScenarioTest {

  /** Its data gets no newer, so its sum lets nothing through, until it does. */
  @Test
  @ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
  void theLargerOfItsAnswerAndTheLedgerCountsWhileItIsFresh(KueueCluster cluster) {
    try (FakeService service = FakeService.start();
        Situation situation = new Situation(cluster)) {
      service.json(spent(cluster, 70));
      situation.policy(
          "costs",
          """
          limit: 100
          unit: EUR
          prices: [{resource: cpu, price: 1}]
          window: {type: Daily}
          consumption: {http: {url: "%s"}, maxAge: 30m}
          """
              .formatted(service.uri()));
      situation.runWithLoopback();

      assertThat(message(situation.workload("first", 2, 10).reserve(), CheckState.READY))
          .isEqualTo("Reserved 20 EUR, 10 EUR of today's 100 EUR left.");
      situation.awaitBackend("costs", "True", "The backend answered");
      // Its age needs no query of freshness.
      assertThat(situation.counted("costs").warning()).isEmpty();

      cluster.advance(Duration.ofMinutes(31));
      PlayedWorkload second = situation.workload("second", 1, 1).reserve();
      second.await("the reason", one -> second.entry("budget").message().contains("maxAge"));
      assertThat(second.entry("budget").is(CheckState.PENDING)).isTrue();
      situation.awaitBackend("costs", "False", "further from now than spec.consumption.maxAge");

      service.json(spent(cluster, 70));
      situation.awaitWhileTimePasses(() -> second.entry("budget").is(CheckState.READY));
    }
  }

  private static String spent(KueueCluster cluster, int units) {
    return "{\"value\": %d, \"asOf\": \"%s\"}".formatted(units, cluster.time().instant());
  }
}
