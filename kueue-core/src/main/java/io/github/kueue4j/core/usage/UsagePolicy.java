// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import java.time.Duration;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How past usage counts (KEP-4136; block {@code admissionFairSharing} of the configuration).
 *
 * @param halfLife time after which past usage counts half; not negative, zero for no past usage at
 *     all
 * @param samplingInterval how often the usage is written into the queues' status; also the time for
 *     which a Workload's requests are charged in advance when it gets quota; positive
 * @param resourceWeights weight of a unit of each resource (a core, a byte); not negative, 1 if
 *     absent
 * @param resetInactivityPeriod age from which stored usage is ignored at a restart; positive, null
 *     for no limit
 * @param entryPenaltyFactor multiplies the entry penalty; from 0 to 1000, 1 for that of the KEP
 */
@API(status = API.Status.INTERNAL)
public record UsagePolicy(
    Duration halfLife,
    Duration samplingInterval,
    Map<String, Double> resourceWeights,
    @Nullable Duration resetInactivityPeriod,
    double entryPenaltyFactor) {
  /** The default of {@code samplingInterval}. */
  public static final Duration DEFAULT_SAMPLING_INTERVAL = Duration.ofMinutes(5);

  /** Keeps sums of usage finite. */
  public static final int LARGEST_ENTRY_PENALTY_FACTOR = 1000;

  /** With the entry penalty of the KEP. */
  public UsagePolicy(
      Duration halfLife,
      Duration samplingInterval,
      Map<String, Double> resourceWeights,
      @Nullable Duration resetInactivityPeriod) {
    this(halfLife, samplingInterval, resourceWeights, resetInactivityPeriod, 1);
  }

  public UsagePolicy {
    resourceWeights = Map.copyOf(resourceWeights);
    if (halfLife.isNegative() || !samplingInterval.isPositive()) {
      throw new IllegalArgumentException(
          "half-life "
              + halfLife
              + " must not be negative, interval "
              + samplingInterval
              + " must be positive");
    }
  }

  /**
   * The share of past usage that still counts after a time: 0.5 to the power of {@code elapsed}
   * over the half-life. From 0 to 1; 1 if {@code elapsed} is negative.
   */
  public double remaining(Duration elapsed) {
    if (halfLife.isZero()) {
      return 0;
    }
    return elapsed.isPositive() ? Math.pow(0.5, seconds(elapsed) / seconds(halfLife)) : 1;
  }

  /**
   * The share of its requests that a Workload is charged when it gets quota: the usage of one
   * sampling interval (KEP-4136, entry penalty), times the factor.
   */
  public double entryShare() {
    return halfLife.isZero() ? 0 : entryPenaltyFactor * (1 - remaining(samplingInterval));
  }

  double weight(String resource) {
    return resourceWeights.getOrDefault(resource, 1.0);
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
