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

import java.time.Duration;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How past usage counts (KEP-4136; block {@code admissionFairSharing} of the configuration).
 *
 * @param halfLife after this time past usage counts half; not negative; zero: it never counts
 * @param samplingInterval how often the usage is written into the queues' status; also the time for
 *     which a Workload's requests are charged in advance when it gets quota; positive
 * @param resourceWeights how much a unit of a resource counts (a core, a byte); 1 if absent; not
 *     negative
 * @param resetInactivityPeriod usage that was last written longer ago is forgotten at a restart;
 *     positive; null: never
 */
@API(status = API.Status.INTERNAL)
public record UsagePolicy(
    Duration halfLife,
    Duration samplingInterval,
    Map<String, Double> resourceWeights,
    @Nullable Duration resetInactivityPeriod) {
  /** What holds where the configuration says nothing. */
  public static final Duration DEFAULT_SAMPLING_INTERVAL = Duration.ofMinutes(5);

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

  /** A policy in which all resources count the same and nothing is forgotten at once. */
  public static UsagePolicy of(Duration halfLife, Duration samplingInterval) {
    return new UsagePolicy(halfLife, samplingInterval, Map.of(), null);
  }

  /**
   * The share of past usage that still counts after a time: 0.5 to the power of {@code elapsed}
   * over the half-life. Between 0 and 1; time that runs backwards changes nothing.
   */
  public double remaining(Duration elapsed) {
    if (halfLife.isZero()) {
      return 0;
    }
    return elapsed.isPositive() ? Math.pow(0.5, seconds(elapsed) / seconds(halfLife)) : 1;
  }

  /**
   * The part of its requests that a Workload costs its queue from the moment it gets quota: what it
   * would have used up if it had run for one sampling interval already (KEP-4136, entry penalty).
   */
  public double entryShare() {
    return halfLife.isZero() ? 0 : 1 - remaining(samplingInterval);
  }

  double weight(String resource) {
    return resourceWeights.getOrDefault(resource, 1.0);
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
