// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Payer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of what is used, for at most {@value #MOST} ledgers, and of who has used it, at most
 * {@value #MOST_ACCOUNTS}: the first by name.
 */
final class BudgetMeters {
  static final int MOST = 500;
  static final int MOST_ACCOUNTS = 2000;

  /**
   * The usage of one ledger.
   *
   * @param remaining absent: the namespace as a whole has no limit
   * @param overSoftLimit absent: it has no soft limit
   * @param forecast what will be spent when the window ends; absent: not known
   * @param accounts of that who has spent how much; empty: it is not shown
   */
  record Reading(
      LedgerName name,
      Amount spent,
      Amount reserved,
      @Nullable Amount remaining,
      @Nullable Boolean overSoftLimit,
      @Nullable Amount forecast,
      SortedMap<Payer, Amount> accounts) {
    private Tags tags() {
      return Tags.of("policy", name.policy(), "namespace", name.namespace());
    }
  }

  private final AtomicReference<@Nullable Gauges> gauges = new AtomicReference<>();

  private record Gauges(
      MultiGauge spent,
      MultiGauge reserved,
      MultiGauge remaining,
      MultiGauge overSoftLimit,
      MultiGauge forecast,
      MultiGauge accounts) {}

  // By policy; guarded by this object's monitor.
  private final Map<String, List<Reading>> readings = new TreeMap<>();

  /** From now on the gauges are in this registry. */
  void bindTo(MeterRegistry registry) {
    gauges.set(
        new Gauges(
            MultiGauge.builder("kueue4j.budget.spent").register(registry),
            MultiGauge.builder("kueue4j.budget.reserved").register(registry),
            MultiGauge.builder("kueue4j.budget.remaining").register(registry),
            MultiGauge.builder("kueue4j.budget.soft.limit.reached").register(registry),
            MultiGauge.builder("kueue4j.budget.forecast").register(registry),
            MultiGauge.builder("kueue4j.budget.account.spent").register(registry)));
  }

  /** From now on a gauge shows how far the ledgers are behind. */
  static void bindTo(MeterRegistry registry, LedgerUpkeep upkeep) {
    Gauge.builder("kueue4j.budget.ledger.behind.seconds", () -> upkeep.behind().toSeconds())
        .register(registry);
  }

  /** Shows the usage under one policy; replaces what was shown of it before. */
  synchronized void show(String policy, Collection<Reading> ofPolicy) {
    readings.put(policy, List.copyOf(ofPolicy));
    @Nullable Gauges now = gauges.get();
    if (now == null) {
      return;
    }
    List<MultiGauge.Row<?>> spent = new ArrayList<>();
    List<MultiGauge.Row<?>> reserved = new ArrayList<>();
    List<MultiGauge.Row<?>> remaining = new ArrayList<>();
    List<MultiGauge.Row<?>> overSoftLimit = new ArrayList<>();
    List<MultiGauge.Row<?>> forecast = new ArrayList<>();
    List<MultiGauge.Row<?>> accounts = new ArrayList<>();
    readings.values().stream()
        .flatMap(List::stream)
        .limit(MOST)
        .forEach(
            reading -> {
              spent.add(MultiGauge.Row.of(reading.tags(), reading.spent().toDouble()));
              reserved.add(MultiGauge.Row.of(reading.tags(), reading.reserved().toDouble()));
              if (reading.remaining() != null) {
                remaining.add(MultiGauge.Row.of(reading.tags(), reading.remaining().toDouble()));
              }
              if (reading.overSoftLimit() != null) {
                overSoftLimit.add(
                    MultiGauge.Row.of(reading.tags(), reading.overSoftLimit() ? 1 : 0));
              }
              if (reading.forecast() != null) {
                forecast.add(MultiGauge.Row.of(reading.tags(), reading.forecast().toDouble()));
              }
              // All of a namespace or nothing of it: a part would look like the whole.
              if (accounts.size() + reading.accounts().size() > MOST_ACCOUNTS) {
                return;
              }
              reading
                  .accounts()
                  .forEach(
                      (payer, sum) ->
                          accounts.add(
                              MultiGauge.Row.of(
                                  reading.tags().and("queue", payer.queue(), "user", payer.user()),
                                  sum.toDouble())));
            });
    now.spent().register(spent, true);
    now.reserved().register(reserved, true);
    now.remaining().register(remaining, true);
    now.overSoftLimit().register(overSoftLimit, true);
    now.forecast().register(forecast, true);
    now.accounts().register(accounts, true);
  }
}
