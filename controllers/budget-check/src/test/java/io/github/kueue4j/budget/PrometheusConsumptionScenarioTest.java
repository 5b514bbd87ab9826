// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.budget.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.FakePrometheus;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was spent is what Prometheus says; what is reserved is still the ledger's. */
@KueueTest(start = "2026-06-01T20:00:00Z")
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class PrometheusConsumptionScenarioTest {

  private final FakePrometheus prometheus = FakePrometheus.start();
  private Situation situation;

  @BeforeEach
  void begin(KueueCluster cluster) {
    situation = new Situation(cluster);
  }

  @AfterEach
  void end() {
    situation.close();
    prometheus.close();
  }

  private void run(String more) {
    situation.policy("measured", spec(more));
    situation.runWithLoopback();
  }

  private String spec(String more) {
    return """
    limit: 100
    unit: CPU-hours
    prices: [{resource: cpu, price: 1}]
    window: {type: Daily}
    consumption:
      endpoint: {url: "%s"}
      %s
    """
        .formatted(prometheus.uri(), more);
  }

  @Test
  void whatWasMeasuredIsSpentAndWhatIsReservedComesOnTop() {
    prometheus.values("70");
    run("query: 'sum(cpu_hours{namespace=\"{{namespace}}\"}[{{window}}])'");

    PlayedWorkload first = situation.workload("first", 2, 10).reserve();
    assertThat(message(first, CheckState.READY))
        .isEqualTo("Reserved 20 CPU-hours, 10 CPU-hours of today's 100 CPU-hours left.");
    PlayedWorkload second = situation.workload("second", 2, 10).reserve();
    assertThat(message(second, CheckState.RETRY))
        .endsWith("90 CPU-hours (70 spent, 20 reserved) of 100 CPU-hours are used.");
    // One measurement serves for both.
    assertThat(prometheus.queries())
        .containsExactly("sum(cpu_hours{namespace=\"default\"}[72000000ms])");
  }

  @Test
  void anUnreachableServerKeepsWorkloadsWaitingUntilItAnswers() {
    prometheus.body(503, "down");
    run("readyMade: kube-state-metrics-cpu-hours");
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.await(
        "the reason", workload -> job.entry("budget").message().contains("can't be measured"));
    assertThat(job.entry("budget").is(CheckState.PENDING)).isTrue();

    // Both of the samples that are fresh and of the CPU-hours.
    prometheus.values("1");
    situation.awaitWhileTimePasses(() -> job.entry("budget").is(CheckState.READY));
  }

  /** The exporter has died: what was measured before it did lets nothing through. */
  @Test
  void aFrozenBudgetSaysSoAndLetsNothingThrough() {
    prometheus.values("42");
    run("query: cpu_hours\n  fresh: up");
    assertThat(message(situation.workload("before", 2, 10).reserve(), CheckState.READY))
        .contains("38 CPU-hours of today's 100 CPU-hours left");
    situation.awaitBackend("measured", "True", "The backend answered");

    prometheus.values("0");
    situation.cluster.advance(Duration.ofSeconds(40));
    PlayedWorkload after = situation.workload("after", 2, 1).reserve();
    after.await("the reason", one -> after.entry("budget").message().contains("is stale"));
    assertThat(after.entry("budget").is(CheckState.PENDING)).isTrue();
    situation.awaitBackend("measured", "False", "spec.consumption.fresh gives no data, or 0");
    assertThat(situation.counted("measured").warning()).isEmpty();
  }

  /** It is measured as nothing, since it ran between two samples. */
  @Test
  void aJobOf20SecondsIsCharged() {
    prometheus.values("0");
    run("query: cpu_hours");
    PlayedWorkload brief = situation.workload("brief", 90, 1).reserve();
    brief.awaitState("budget", CheckState.READY).admit();
    situation.cluster.advance(Duration.ofSeconds(20));
    brief.finish();
    situation.awaitLedger("measured", ledger -> ledger.settled() == 1);

    PlayedWorkload all = situation.workload("all", 100, 1).reserve();
    assertThat(message(all, CheckState.RETRY))
        .endsWith("0.5 CPU-hours (0.5 spent, 0 reserved) of 100 CPU-hours are used.");
    // The query is without one that tells whether what it reads is fresh.
    situation.awaitBackend("measured", "True", "The backend answered");
    situation.awaitCounted(
        "measured", counted -> counted.warning().orElse("").contains("fresh is not set"));
  }

  @Test
  void noDataIsNoZero() {
    prometheus.values();
    run("query: vector(0)");
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();

    job.await("the reason", workload -> job.entry("budget").message().contains("gives no data"));
  }

  /** As for the HTTP check, of which this is the same field. */
  @ParameterizedTest
  @CsvSource({"503, 420, 504", "500, 1200, 1440"})
  void aWorkloadGivesItsQuotaBackAsThePolicySays(int status, int shortest, int longest) {
    prometheus.body(status, "down");
    run("query: up\n  unavailable: {errorBudget: 0s, busyDelay: 7m, downDelay: 20m}");
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();

    job.awaitState("budget", CheckState.RETRY);

    assertThat(job.entry("budget").requeueAfterSeconds()).isBetween(shortest, longest);
  }

  @Test
  void aPolicyThatFailsOpenGoesByTheLedger() {
    prometheus.body(503, "down");
    run("query: vector(0)\nfailurePolicy: Open");
    PlayedWorkload first = situation.workload("first", 8, 10).reserve();
    assertThat(message(first, CheckState.READY)).startsWith("Reserved 80 CPU-hours, 20 CPU-hours");
    situation.cluster.advance(Duration.ofSeconds(40));
    PlayedWorkload second = situation.workload("second", 8, 10).reserve();
    assertThat(message(second, CheckState.RETRY)).startsWith("Daily budget exhausted.");
    situation.awaitBackend("measured", "False", "can't be measured");
  }
}
