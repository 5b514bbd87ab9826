// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.budget.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the fields of a BudgetPolicy mean for Workloads, on an API server. */
@KueueTest(start = "2026-06-01T20:00:00Z")
class BudgetPolicyScenarioTest {

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
  void whatDoesNotFitAtAllIsRejected() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload huge = situation.workload("huge", 11, 10).reserve();
    assertThat(message(huge, CheckState.REJECTED))
        .startsWith(
            "The Workload costs 110 EUR, more than the whole daily budget, 100 EUR: let it");
  }

  @Test
  void withoutADeclaredRuntimeItIsRejectedAndSaysWhy() {
    situation.policy("daily", DAILY).run();

    assertThat(message(situation.workload("w", 1, 0).reserve(), CheckState.REJECTED))
        .contains("doesn't say how long it runs")
        .contains("kueue.x-k8s.io/max-exec-time-seconds");
  }

  @Test
  void weeksAndUnselectedNamespaces() {
    situation
        .policy(
            "weekly",
            """
            limit: 10
            prices: [{resource: cpu, price: 1}]
            window: {type: Weekly, firstDay: Sunday, timeZone: Europe/Berlin}
            softLimitPercent: 80
            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
            """)
        .run();
    assertThat(message(situation.workload("a", 9, 1).reserve(), CheckState.READY))
        .isEqualTo(
            "Reserved 9, 1 of this week's 10 left. Warning: more than 80 % of the budget is used.");
    PlayedWorkload waiting = situation.workload("b", 9, 1).reserve();
    assertThat(message(waiting, CheckState.RETRY))
        .startsWith("Weekly budget exhausted. Will retry on Sunday at midnight.");

    situation.policyOnly(
        "weekly",
        """
        limit: 10
        window: {type: Weekly}
        namespaceSelector: {matchLabels: {team: other}}
        """);
    waiting.backOff().awaitDelayEnded("budget").requeueAtOnce().reserve();
    assertThat(message(waiting, CheckState.READY))
        .isEqualTo("The BudgetPolicy 'weekly' doesn't select the namespace.");
  }

  @Test
  void theServerRefusesNegativeAmountsAlsoAsIntegers() {
    situation.policyOnly("daily", DAILY);
    situation.budget("ours", "{policy: daily, limit: 0}");

    assertThatThrownBy(() -> situation.budget("ours", "{policy: daily, limit: -1}"))
        .hasMessageContaining("spec.limit in body should be greater than or equal to 0");
    assertThatThrownBy(() -> situation.budget("ours", "{policy: daily, limit: 1000000000001}"))
        .hasMessageContaining("spec.limit in body should be less than or equal to 1000000000000");
    assertThatThrownBy(() -> situation.policyOnly("daily", DAILY.replace("100", "-100")))
        .hasMessageContaining("spec.limit in body should be greater than or equal to 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          noBudget: Ready | leave out noBudget, or limit, with which no namespace is without one
          whileRunning: {gracePeriod: 1m} | leave out gracePeriod, after which nothing happens without it
          """)
  void theServerRefusesWhatWouldHaveNoEffect(String field, String message) {
    assertThatThrownBy(() -> situation.policyOnly("daily", DAILY + field + "\n"))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"endpoint: {%s}, query: up", "http: {%s}"})
  void theServerRefusesACertificateThatNoConnectionUses(String consumption) {
    String spec = DAILY + "consumption: {%s}\n".formatted(consumption);
    situation.policyOnly("daily", spec.formatted("url: 'https://a.example', ca: {value: x}"));

    assertThatThrownBy(
            () ->
                situation.policyOnly(
                    "daily", spec.formatted("url: 'http://a.example', ca: {value: x}")))
        .hasMessageContaining("begin url with https://, or leave out ca");
  }

  @Test
  void aPriceWithAMisspeltResourceIsTold() {
    situation.policy("daily", DAILY.replace("resource: cpu", "resource: cpus")).run();
    situation.workload("free", 100, 10).reserve().awaitState("budget", CheckState.READY);

    situation.awaitCounted(
        "daily", counted -> counted.warning().orElse("").contains("Workloads hold cpu for free"));
    situation.policyOnly("daily", DAILY);
    situation.awaitCounted("daily", counted -> counted.warning().isEmpty());
  }
}
