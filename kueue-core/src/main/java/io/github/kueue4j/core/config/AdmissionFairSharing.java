// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.core.usage.UsagePolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Reads the block {@code admissionFairSharing}. Its presence enables admission fair sharing. */
final class AdmissionFairSharing {
  private static final String KEY = "admissionFairSharing";
  private static final String INTERVAL = "usageSamplingInterval";
  private static final String HALF_LIFE = "usageHalfLifeTime";
  private static final String RESET = "resetInactivityPeriod";
  private static final String WEIGHTS = "resourceWeights";

  private AdmissionFairSharing() {}

  static Optional<UsagePolicy> read(ConfigurationBlock root) {
    boolean present = root.has(KEY);
    try (ConfigurationBlock block = root.block(KEY)) {
      Duration halfLife = block.duration(HALF_LIFE, Duration.ZERO);
      if (halfLife.isNegative()) {
        throw block.invalid(HALF_LIFE, "must not be negative");
      }
      Duration interval = block.duration(INTERVAL, UsagePolicy.DEFAULT_SAMPLING_INTERVAL);
      if (!interval.isPositive()) {
        throw block.invalid(INTERVAL, "must be positive");
      }
      Duration reset = block.has(RESET) ? block.duration(RESET, Duration.ZERO) : null;
      if (reset != null && !reset.isPositive()) {
        throw block.invalid(RESET, "must be positive; leave it out to keep usage for ever");
      }
      Map<String, Double> weights = block.decimals(WEIGHTS);
      weights.forEach(
          (resource, weight) -> {
            if (!(weight >= 0) || weight.isInfinite()) {
              throw block.invalid(
                  WEIGHTS,
                  "gives " + resource + " " + weight + "; it must be a number of at least 0");
            }
          });
      return present
          ? Optional.of(new UsagePolicy(halfLife, interval, weights, reset))
          : Optional.empty();
    }
  }
}
