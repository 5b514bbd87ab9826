// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static io.github.kueue4j.budget.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a tenant may change of a Workload after the budget was Ready: it is reserved before the
 * admission, and charged afterwards. The queue controller that is played here admits whatever is
 * Ready; kueue-core asks all checks again by itself.
 */
@KueueTest(start = "2026-06-01T08:00:00Z")
class ChangedWorkloadTest {

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
  void aTimeThatIsRaisedBeforeTheAdmissionIsReserved() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.awaitMessage("budget", "Reserved 20 EUR, 80 EUR of today's 100 EUR left.");

    runsFor(job, 30);

    job.awaitMessage("budget", "Reserved 60 EUR, 40 EUR of today's 100 EUR left.");
    assertThat(job.entry("budget").is(CheckState.READY)).isTrue();
    assertThat(use(situation.awaitLedger("daily", ledger -> true)))
        .isEqualTo(new Use(Amount.ZERO, Amount.units(60)));
    runsFor(job, 5);
    job.awaitMessage("budget", "Reserved 10 EUR, 90 EUR of today's 100 EUR left.");
  }

  /** More than is left, and more than there ever is. */
  @ParameterizedTest
  @CsvSource({
    "40, Retry, Daily budget exhausted.",
    "60, Rejected, 'The Workload costs 120 EUR, more'"
  })
  void aReadyIsTakenBackIfThatDoesNotFit(int hours, String state, String words) {
    situation.policy("daily", DAILY).run();
    situation.workload("other", 4, 10).reserve().awaitState("budget", CheckState.READY);
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.awaitState("budget", CheckState.READY);

    runsFor(job, hours);

    assertThat(message(job, new CheckState(state))).startsWith(words);
  }

  /** The ledger says what the Ready was about. */
  @Test
  void aTimeThatIsRaisedWhileNoControllerRunsIsReservedAtItsStart() {
    situation.policy("daily", DAILY);
    RunningController controller = situation.run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve();
    job.awaitState("budget", CheckState.READY);
    controller.stop();
    runsFor(job, 90);

    controller.start();

    assertThat(message(job, CheckState.REJECTED)).startsWith("The Workload costs 180 EUR, more");
  }

  @Test
  void aTimeThatAnAnnotationDeclaresIsReservedToo() {
    situation
        .policy(
            "daily",
            DAILY + "runtime: {annotation: example.com/runtime, undeclared: ChargeAsItRuns}\n")
        .run();
    PlayedWorkload job = situation.workload("job", 2, 0).reserve();
    job.awaitMessage("budget", "Charged 2 EUR per hour; 100 EUR of today's 100 EUR left.");

    patch(job, "{'metadata': {'annotations': {'example.com/runtime': '20h'}}}");

    job.awaitMessage("budget", "Reserved 40 EUR, 60 EUR of today's 100 EUR left.");
  }

  @Test
  void theApiRefusesToRaiseTheTimeOfWhatRuns() {
    situation.policy("daily", DAILY).run();
    PlayedWorkload job = situation.workload("job", 2, 10).reserve().admit();

    assertThatThrownBy(() -> runsFor(job, 20))
        .hasMessageContaining(
            "spec.maximumExecutionTimeSeconds is immutable while the workload is admitted");
  }

  /** Two of four pods end after an hour, the others an hour later. */
  @Test
  void quotaThatPodsHaveGivenBackCostsNothingFromThenOn() {
    situation.policy("daily", DAILY).run();
    situation.workload("job", 1, 10);
    patch(situation.cluster.script().existing("job"), "{'spec': {'podSets': [" + FOUR + "]}}");
    PlayedWorkload job = situation.cluster.script().existing("job").reserve().admit();
    situation.awaitLedger(
        "daily", ledger -> use(ledger).equals(new Use(Amount.ZERO, Amount.units(40))));
    situation.cluster.advance(Duration.ofHours(1));

    reclaim(job, 2);

    // The check may gather changes for a while, which passes only if the test lets it.
    situation.cluster.advanceUntil(
        Duration.ofSeconds(1),
        "the rest is reserved at the lower rate",
        () -> atMost(use(situation.awaitLedger("daily", ledger -> true)).reserved(), 18));
    situation.cluster.advance(Duration.ofHours(1));
    job.finish();
    Ledger settled = situation.awaitLedger("daily", ledger -> ledger.open().isEmpty());
    assertThat(use(settled).reserved()).isEqualTo(Amount.ZERO);
    assertThat(use(settled).spent()).matches(spent -> !atMost(spent, 5) && atMost(spent, 7));
  }

  private static final String FOUR =
      "{'name': 'main', 'count': 4, 'template': {'spec': {'restartPolicy': 'Never', 'containers':"
          + " [{'name': 'main', 'image': 'example.invalid/main', 'resources': {'requests':"
          + " {'cpu': '1'}}}]}}}";

  private void reclaim(PlayedWorkload job, int pods) {
    situation
        .connection()
        .api()
        .patchStatus(
            KueueTypes.WORKLOAD,
            job.key(),
            merge("{'status': {'reclaimablePods': [{'name': 'main', 'count': " + pods + "}]}}"));
  }

  private void runsFor(PlayedWorkload job, int hours) {
    patch(job, "{'spec': {'maximumExecutionTimeSeconds': " + hours * 3600 + "}}");
  }

  private void patch(PlayedWorkload job, String change) {
    situation.connection().api().patch(KueueTypes.WORKLOAD, job.key(), merge(change));
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private static boolean atMost(Amount amount, int units) {
    return amount.compareTo(Amount.units(units)) <= 0;
  }

  private Use use(Ledger ledger) {
    return ledger.use(Window.daily(ZoneOffset.UTC), situation.cluster.time().instant(), "");
  }
}
