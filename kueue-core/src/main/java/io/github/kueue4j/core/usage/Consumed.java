// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.ResourceUnits;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The past usage of a queue at an instant: an average of the usage over time, in which the recent
 * past has more weight. An immutable value.
 *
 * @param at the instant
 * @param amounts by resource, in the unit of its quantities (cores, bytes); never negative or NaN
 */
@API(status = API.Status.INTERNAL)
public record Consumed(Instant at, Map<String, Double> amounts) {
  /** The smallest amount that is written or compared. */
  private static final double FINEST = 1e-9;

  private static final int DECIMALS = 9;

  /** From this amount on, fractions of a unit are insignificant. */
  private static final double LARGE = 1e6;

  public Consumed {
    amounts = Map.copyOf(amounts);
  }

  public static Consumed nothing(Instant at) {
    return new Consumed(at, Map.of());
  }

  /** The past usage in a status. */
  public static Consumed of(AdmissionFairSharingStatus status) {
    Map<String, Double> amounts = new TreeMap<>();
    status
        .consumedResources()
        .forEach(
            (resource, quantity) ->
                amounts.put(resource, Math.max(0, quantity.amount().doubleValue())));
    return new Consumed(status.lastUpdate(), amounts);
  }

  /**
   * The status for this usage, rounded down to nine decimals.
   *
   * @param resources that it names even if nothing was used of them
   */
  public AdmissionFairSharingStatus statusWith(Set<String> resources) {
    Map<String, Quantity> quantities = new TreeMap<>();
    resources.forEach(resource -> quantities.put(resource, Quantity.ZERO));
    amounts.forEach(
        (resource, amount) -> {
          if (amount >= FINEST) {
            BigDecimal rounded =
                BigDecimal.valueOf(amount)
                    .setScale(amount < LARGE ? DECIMALS : 0, RoundingMode.DOWN);
            quantities.put(resource, Quantity.of(rounded, Quantity.Format.DECIMAL_SI));
          }
        });
    return new AdmissionFairSharingStatus(quantities, at);
  }

  /** Whether all amounts are too small to be written. */
  public boolean isNegligible() {
    return amounts.values().stream().allMatch(amount -> amount < FINEST);
  }

  /**
   * The usage at a later instant.
   *
   * @param now the later instant; if it isn't after {@link #at}, nothing changes
   * @param running the requests that ran during the whole time since
   */
  Consumed by(Instant now, Amounts<String> running, UsagePolicy policy) {
    if (!now.isAfter(at)) {
      return this;
    }
    double remaining = policy.remaining(Duration.between(at, now));
    Map<String, Double> later = new TreeMap<>();
    amounts.forEach((resource, amount) -> later.put(resource, amount * remaining));
    if (!policy.halfLife().isZero()) {
      addTo(later, running, 1 - remaining);
    }
    return new Consumed(now, later);
  }

  /** This usage plus a share of some requests. */
  Consumed plus(Amounts<String> requests, double share) {
    if (share <= 0 || requests.isEmpty()) {
      return this;
    }
    Map<String, Double> more = new TreeMap<>(amounts);
    addTo(more, requests, share);
    return new Consumed(at, more);
  }

  /** The sum with another usage of the same instant. */
  Consumed plus(Consumed other) {
    Map<String, Double> sum = new TreeMap<>(amounts);
    other.amounts.forEach((resource, amount) -> sum.merge(resource, amount, Double::sum));
    return new Consumed(at, sum);
  }

  /** The sum of the amounts times the weights of their resources. */
  double weighted(UsagePolicy policy) {
    double sum = 0;
    for (Map.Entry<String, Double> entry : amounts.entrySet()) {
      sum += policy.weight(entry.getKey()) * entry.getValue();
    }
    // Not rounded here, because the comparison rounds: rounding twice could change an order.
    return sum;
  }

  private static void addTo(Map<String, Double> sum, Amounts<String> amounts, double share) {
    amounts
        .asMap()
        .forEach(
            (resource, units) ->
                sum.merge(resource, ResourceUnits.decimal(resource, units) * share, Double::sum));
  }
}
