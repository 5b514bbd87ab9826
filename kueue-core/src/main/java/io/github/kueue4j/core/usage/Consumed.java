/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The past usage of a queue at an instant: an average of what ran in it, in which the recent past
 * counts more. A value.
 *
 * @param at when this was so
 * @param amounts by resource, in the unit of its quantities (cores, bytes); never negative or NaN
 */
@API(status = API.Status.INTERNAL)
public record Consumed(Instant at, Map<String, Double> amounts) {
  /** Below this nothing is written or compared. */
  private static final double FINEST = 1e-9;

  private static final int DECIMALS = 9;

  /** From here on fractions of a unit say nothing. */
  private static final double LARGE = 1e6;

  public Consumed {
    amounts = Map.copyOf(amounts);
  }

  public static Consumed nothing(Instant at) {
    return new Consumed(at, Map.of());
  }

  /** What a status says. */
  public static Consumed of(AdmissionFairSharingStatus status) {
    Map<String, Double> amounts = new TreeMap<>();
    status
        .consumedResources()
        .forEach(
            (resource, quantity) ->
                amounts.put(resource, Math.max(0, quantity.amount().doubleValue())));
    return new Consumed(status.lastUpdate(), amounts);
  }

  /** As a status says it: nine decimals, rounded down. */
  public AdmissionFairSharingStatus status() {
    Map<String, Quantity> quantities = new TreeMap<>();
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

  /** Whether there is nothing that a status could say. */
  public boolean isNegligible() {
    return amounts.values().stream().allMatch(amount -> amount < FINEST);
  }

  /**
   * What it has become by an instant.
   *
   * @param now if it is earlier than {@link #at}, nothing changes
   * @param running what ran all the time since
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

  /** With a share of some requests more. */
  Consumed plus(Amounts<String> requests, double share) {
    if (share <= 0 || requests.isEmpty()) {
      return this;
    }
    Map<String, Double> more = new TreeMap<>(amounts);
    addTo(more, requests, share);
    return new Consumed(at, more);
  }

  /** The sum with another one that is as old. */
  Consumed plus(Consumed other) {
    Map<String, Double> sum = new TreeMap<>(amounts);
    other.amounts.forEach((resource, amount) -> sum.merge(resource, amount, Double::sum));
    return new Consumed(at, sum);
  }

  /** One number for all resources: the amounts times the weights of their resources. */
  double weighted(UsagePolicy policy) {
    double sum = 0;
    for (Map.Entry<String, Double> entry : amounts.entrySet()) {
      sum += policy.weight(entry.getKey()) * entry.getValue();
    }
    // Not rounded yet: what is rounded twice may end up on either side.
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
