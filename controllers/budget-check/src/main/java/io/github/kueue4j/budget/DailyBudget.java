// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.Quantity;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The budget of a namespace.
 *
 * @param amount what may be spent a day, in units of the prices
 * @param zone where a day begins at midnight
 * @param hours how long a workload without a limit is taken to run
 * @param prices resource name to the price of one unit for one hour
 */
record DailyBudget(
    BigDecimal amount, ZoneId zone, BigDecimal hours, Map<String, BigDecimal> prices) {

  private static final String AMOUNT = "amount";
  private static final String TIME_ZONE = "timeZone";
  private static final String HOURS = "hours";
  private static final String PRICES = "prices";
  private static final Set<String> KEYS = Set.of(AMOUNT, TIME_ZONE, HOURS, PRICES);

  DailyBudget {
    prices = Map.copyOf(prices);
  }

  /**
   * Reads the data of a ConfigMap.
   *
   * @throws InvalidBudgetException if it is invalid; the message says what to correct
   */
  static DailyBudget of(V1ConfigMap map) {
    Map<String, String> data = Objects.requireNonNullElse(map.getData(), Map.of());
    for (String key : data.keySet()) {
      if (!KEYS.contains(key)) {
        throw new InvalidBudgetException("unknown key '" + key + "'; known are " + sorted(KEYS));
      }
    }
    String amount = data.get(AMOUNT);
    if (amount == null) {
      throw new InvalidBudgetException("the key 'amount' is missing");
    }
    return new DailyBudget(
        number(AMOUNT, amount),
        zone(data.getOrDefault(TIME_ZONE, "UTC")),
        number(HOURS, data.getOrDefault(HOURS, "1")),
        prices(data.getOrDefault(PRICES, "cpu: 1")));
  }

  /** What a workload costs that reserves these amounts and runs for that long. */
  BigDecimal cost(Map<String, Quantity> reserved, BigDecimal runtimeHours) {
    BigDecimal perHour = BigDecimal.ZERO;
    for (var price : prices.entrySet()) {
      Quantity amount = reserved.getOrDefault(price.getKey(), Quantity.ZERO);
      perHour = perHour.add(price.getValue().multiply(amount.amount()));
    }
    return perHour.multiply(runtimeHours);
  }

  /** The day that this instant belongs to. */
  LocalDate day(Instant instant) {
    return instant.atZone(zone).toLocalDate();
  }

  /** Lines of {@code resource: price}; a ConfigMap's own keys can't hold a slash. */
  private static Map<String, BigDecimal> prices(String lines) {
    Map<String, BigDecimal> prices = new LinkedHashMap<>();
    for (String line : lines.split("\n", -1)) {
      if (line.isBlank()) {
        continue;
      }
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new InvalidBudgetException(
            "the line '" + line.strip() + "' of 'prices' is not 'resource: price'");
      }
      String resource = line.substring(0, colon).strip();
      prices.put(resource, number("price of " + resource, line.substring(colon + 1)));
    }
    return prices;
  }

  private static BigDecimal number(String what, String text) {
    BigDecimal number;
    try {
      number = new BigDecimal(text.strip());
    } catch (NumberFormatException e) {
      throw new InvalidBudgetException("the " + what + " '" + text.strip() + "' is not a number");
    }
    if (number.signum() < 0) {
      throw new InvalidBudgetException("the " + what + " can't be negative: " + text.strip());
    }
    return number;
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name.strip());
    } catch (DateTimeException e) {
      throw new InvalidBudgetException(
          "the timeZone '" + name.strip() + "' is unknown; write one such as 'Europe/Berlin'");
    }
  }

  private static String sorted(Set<String> keys) {
    return String.join(", ", keys.stream().sorted().toList());
  }

  /** The ConfigMap makes no sense. */
  static final class InvalidBudgetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidBudgetException(String message) {
      super(message);
    }
  }
}
