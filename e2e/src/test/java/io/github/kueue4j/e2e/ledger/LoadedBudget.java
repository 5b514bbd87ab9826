// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import io.github.kueue4j.budget.ledger.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.List;

/**
 * One budget: what the check is told, and how its recorder reckons.
 *
 * @param spec the policy's, but for its prices
 * @param price of a CPU for an hour
 * @param window what the ledger is read with
 */
record LoadedBudget(String name, String spec, BigDecimal price, Window window) {
  // Their day ends one and two hours after a simulation begins, in Adak with the week.
  private static final ZoneId ANCHORAGE = ZoneId.of("America/Anchorage");
  private static final ZoneId ADAK = ZoneId.of("America/Adak");
  private static final Duration ROLLING = Duration.ofHours(1);
  private static final String PLENTY = "limit: 10000000, ";

  /** An amount of a millionth of the unit per hour, for one second. */
  private static final BigDecimal TICKS = BigDecimal.valueOf(1_000_000);

  static final List<LoadedBudget> ALL =
      List.of(
          new LoadedBudget(
              "daily",
              PLENTY + "window: {type: Daily, timeZone: America/Anchorage}",
              BigDecimal.ONE,
              Window.daily(ANCHORAGE)),
          new LoadedBudget(
              "weekly",
              PLENTY + "window: {type: Weekly, firstDay: Monday, timeZone: America/Adak}",
              new BigDecimal("0.35"),
              Window.weekly(DayOfWeek.MONDAY, ADAK)),
          new LoadedBudget(
              "monthly",
              PLENTY + "per: LocalQueue, window: {type: Monthly}",
              new BigDecimal("0.000123"),
              Window.monthly(ZoneOffset.UTC)),
          new LoadedBudget(
              "rolling",
              "limit: 36000, window: {type: Rolling, length: 1h}",
              new BigDecimal(3600),
              Window.rolling(ROLLING)));

  /** Since when what was spent counts, reckoned without the check's code. */
  Instant start(Instant now) {
    return switch (name) {
      case "daily" -> now.atZone(ANCHORAGE).toLocalDate().atStartOfDay(ANCHORAGE).toInstant();
      case "weekly" -> {
        LocalDate day = now.atZone(ADAK).toLocalDate();
        yield day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
            .atStartOfDay(ADAK)
            .toInstant();
      }
      case "monthly" ->
          now.atZone(ZoneOffset.UTC)
              .toLocalDate()
              .withDayOfMonth(1)
              .atStartOfDay(ZoneOffset.UTC)
              .toInstant();
      default -> {
        long step = ROLLING.toSeconds() / 48;
        yield Instant.ofEpochSecond(
            Math.floorDiv(now.minus(ROLLING).getEpochSecond(), step) * step);
      }
    };
  }

  /** The ticks that so many CPU-seconds cost. */
  BigInteger ticks(BigDecimal cpuSeconds, BigDecimal hourly) {
    return cpuSeconds.multiply(hourly).multiply(TICKS).toBigIntegerExact();
  }

  /** The policy and the AdmissionCheck that names it. */
  String objects() {
    return """
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: BudgetPolicy
    metadata: {name: %1$s}
    spec: {%2$s, prices: [{resource: cpu, price: "%3$s"}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: %1$s}
    spec:
      controllerName: kueue4j.io/budget
      parameters: {apiGroup: checks.kueue4j.io, kind: BudgetPolicy, name: %1$s}
    ---
    """
        .formatted(name, spec, price.toPlainString());
  }
}
