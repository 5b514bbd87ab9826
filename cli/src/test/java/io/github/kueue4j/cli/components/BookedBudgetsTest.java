// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.budget.BudgetCheck;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.observe.view.ShownBudget;
import io.github.kueue4j.observe.view.ShownBudget.BudgetUse;
import io.github.kueue4j.observe.view.ShownBudget.PastUse;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the page shows of budgets, on the 11th of a month. */
class BookedBudgetsTest {
  private static final Instant NOW = Instant.parse("2026-11-11T00:00:00Z");

  /** Ticks of one unit. */
  private static final long UNIT = 3_600_000_000L;

  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().clock(() -> Instant.parse("2026-09-01T00:00:00Z")).start();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).open();

  @AfterEach
  void stop() {
    connection.close();
    server.close();
  }

  private List<ShownBudget> read(String... namespaces) {
    return new BookedBudgets().read(connection.api(), List.of(namespaces), NOW);
  }

  @Test
  void tooManyLedgersAreNotRead() {
    BudgetCheck.crds().forEach(server::apply);
    server.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetPolicy
        metadata: {name: daily}
        spec: {limit: 10, prices: [{resource: cpu, price: 1}], window: {type: Daily}}
        """);
    List<String> namespaces =
        IntStream.rangeClosed(0, BookedBudgets.MOST_LEDGERS).mapToObj(each -> "n" + each).toList();

    assertThat(new BookedBudgets().read(connection.api(), namespaces, NOW))
        .singleElement()
        .satisfies(
            budget ->
                assertThat(budget.notes())
                    .containsExactly(
                        "There are too many namespaces to be shown together, 201: name one, or use"
                            + " 'kueue4j budget report'."));
  }

  @Test
  void aLedgerThatCannotBeReadTakesNoOtherAway() {
    BudgetCheck.crds().forEach(server::apply);
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: research}}
        ---
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetPolicy
        metadata: {name: daily}
        spec: {limit: 10, prices: [{resource: cpu, price: 1}], window: {type: Daily}}
        ---
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetLedger
        metadata: {name: daily.research}
        spec: {policy: daily, namespace: research}
        """);
    connection
        .api()
        .patch(
            BudgetLedger.TYPE,
            ObjectKey.cluster("daily.research"),
            new MergePatch(
                JsonParser.parseString(
                        """
                        {"status": {"settled":
                          [{"from": "2026-11-11T00:00:00Z", "queue": "q", "ticks": "many"}]}}
                        """)
                    .getAsJsonObject()));

    assertThat(read("research").getFirst().notes())
        .singleElement()
        .asString()
        .startsWith("The BudgetLedger 'daily.research' can't be read, and its sums are left out: ")
        .contains("many");
  }

  @Test
  void aClusterWithoutTheKindsHasNone() {
    assertThat(read("research")).isEmpty();
  }

  @Test
  void whatIsBookedIsShownByNamespaceQueueAndUserWithTheWindowsBefore() {
    BudgetCheck.crds().forEach(server::apply);
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: research}}
        ---
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetPolicy
        metadata: {name: monthly}
        spec: {limit: 1000, unit: EUR, prices: [{resource: cpu, price: 1}], window: {type: Monthly},
          budgets: Lower, accounting: {userLabel: example.com/user}}
        ---
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: Budget
        metadata: {name: gpus, namespace: research}
        spec: {policy: monthly, localQueue: gpus, limit: 400}
        ---
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetLedger
        metadata: {name: monthly.research}
        spec: {policy: monthly, namespace: research}
        """);
    connection
        .api()
        .patch(
            BudgetLedger.TYPE,
            ObjectKey.cluster("monthly.research"),
            new MergePatch(
                JsonParser.parseString(
                        """
                        {"status": {"since": "2026-11-01T00:00:00Z", "settlements": 2, "open": [],
                          "settled": [{"from": "2026-11-01T00:00:00Z", "queue": "gpus", "ticks": "%1$d"}],
                          "users": [{"from": "2026-11-01T00:00:00Z", "queue": "gpus", "ticks": "%1$d", "user": "ada"}],
                          "past": [{"from": "2026-10-01T00:00:00Z", "queue": "gpus", "ticks": "%2$d"},
                            {"from": "2026-10-01T00:00:00Z", "queue": "main", "ticks": "%1$d"}]}}
                        """
                            .formatted(100 * UNIT, 500 * UNIT))
                    .getAsJsonObject()));

    ShownBudget budget = read("research").getFirst();

    assertThat(budget.policy()).isEqualTo("monthly");
    assertThat(budget.unit()).isEqualTo("EUR");
    assertThat(budget.since()).isEqualTo("2026-11-01T00:00:00Z");
    assertThat(budget.until()).isEqualTo("2026-12-01T00:00:00Z");
    // 100 in the first ten days of thirty.
    assertThat(budget.namespaces())
        .singleElement()
        .satisfies(
            use -> {
              assertThat(use.used()).isEqualTo(100);
              assertThat(use.limit()).isEqualTo(1000);
              assertThat(use.forecast()).isEqualTo(300);
            });
    assertThat(budget.queues())
        .filteredOn(use -> use.queue().equals("gpus"))
        .extracting(BudgetUse::limit)
        .containsExactly(400.0);
    assertThat(budget.users())
        .filteredOn(use -> use.used() > 0)
        .extracting(BudgetUse::queue, BudgetUse::user)
        .containsExactly(tuple("gpus", "ada"));
    assertThat(budget.past())
        .containsExactly(new PastUse(Instant.parse("2026-10-01T00:00:00Z"), 600));
    assertThat(budget.notes()).isEmpty();
  }

  @Test
  void whatCannotBeUsedIsSaid() {
    BudgetCheck.crds().forEach(server::apply);
    server.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetPolicy
        metadata: {name: nowhere}
        spec: {limit: 10, prices: [{resource: cpu, price: 1}],
          window: {type: Daily, timeZone: Europe/Nowhere}}
        """);

    List<ShownBudget> read = read("research");

    assertThat(read)
        .singleElement()
        .satisfies(
            budget ->
                assertThat(budget.notes())
                    .singleElement()
                    .asString()
                    .startsWith("The BudgetPolicy can't be used: ")
                    .contains("Europe/Nowhere"));
  }
}
