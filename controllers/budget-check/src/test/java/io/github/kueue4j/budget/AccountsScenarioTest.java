// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Spending;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who has used what, over a restart and a midnight at which no controller ran. */
@KueueTest(start = "2026-06-01T20:00:00Z")
class AccountsScenarioTest {
  private static final Window DAILY = Window.daily(ZoneOffset.UTC);

  @Test
  void whatEachUserRanIsBookedOnceToItsDay(KueueCluster cluster) {
    try (Situation situation = new Situation(cluster)) {
      situation.policy(
          "daily",
          """
          limit: 1000
          prices: [{resource: cpu, price: 1}]
          window: {type: Daily}
          accounting: {userLabel: example.com/user}
          """);
      RunningController controller = situation.run();
      PlayedWorkload early = workload(situation, "early", "example.com/user: ada");
      PlayedWorkload night = workload(situation, "night", "example.com/user: bob");
      PlayedWorkload unnamed = workload(situation, "unnamed", "example.com/other: ada");
      for (PlayedWorkload one : new PlayedWorkload[] {early, night, unnamed}) {
        one.reserve().awaitState("budget", CheckState.READY).admit();
      }
      situation.awaitLedger("daily", ledger -> started(ledger, 3));
      cluster.advance(Duration.ofHours(2));
      early.finish();
      situation.awaitLedger("daily", ledger -> ledger.open().size() == 2);

      controller.stop();
      cluster.advance(Duration.ofHours(1));
      night.finish();
      early.delete();
      cluster.advance(Duration.ofHours(3));
      controller.start();

      Ledger ledger = situation.awaitLedger("daily", now -> now.open().size() == 1);
      assertThat(ledger.since()).isEqualTo(Instant.parse("2026-06-02T00:00:00Z"));
      Instant now = Instant.parse("2026-06-02T02:00:00Z");
      assertThat(used(ledger, DAILY.start(now), now)).isEqualTo(Map.of("", "20"));
      assertThat(used(ledger, Instant.parse("2026-06-01T00:00:00Z"), now))
          .isEqualTo(Map.of("ada", "20", "bob", "30", "", "60"));

      unnamed.finish();
      Ledger settled = situation.awaitLedger("daily", after -> after.open().isEmpty());
      assertThat(used(settled, Instant.parse("2026-06-01T00:00:00Z"), now))
          .isEqualTo(Map.of("ada", "20", "bob", "30", "", "60"));
      assertThat(settled.past().get(Instant.parse("2026-06-01T00:00:00Z")))
          .containsOnlyKeys(
              new Payer("script", "ada"), new Payer("script", "bob"), new Payer("script", ""));
    }
  }

  private static boolean started(Ledger ledger, int number) {
    return ledger.open().values().stream().filter(one -> one.startedAt() != null).count() == number;
  }

  private static Map<String, String> used(Ledger ledger, Instant from, Instant now) {
    Map<String, String> used = new TreeMap<>();
    Map<Payer, Spending> accounts = Spending.of(ledger, DAILY, from, now);
    accounts.forEach((payer, account) -> used.put(payer.user(), account.used().toString()));
    return used;
  }

  private static PlayedWorkload workload(Situation situation, String name, String label) {
    situation.cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: default}
        spec:
          queueName: script
          maximumExecutionTimeSeconds: 36000
          podSets:
            - name: main
              count: 1
              template:
                metadata: {labels: {%s}}
                spec:
                  restartPolicy: Never
                  containers:
                    - {name: main, image: example.invalid/main, resources: {requests: {cpu: 10}}}
        """
            .formatted(name, label));
    return situation.cluster.script().existing(name);
  }
}
