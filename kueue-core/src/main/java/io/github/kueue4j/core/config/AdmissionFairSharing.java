// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.core.queue.Transformation;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the block {@code admissionFairSharing}. Its presence enables admission fair sharing. */
final class AdmissionFairSharing {
  private static final String KEY = "admissionFairSharing";
  private static final String INTERVAL = "usageSamplingInterval";
  private static final String HALF_LIFE = "usageHalfLifeTime";
  private static final String RESET = "resetInactivityPeriod";
  private static final String WEIGHTS = "resourceWeights";
  private static final String PENALTY = "entryPenaltyFactor";

  /** The name of the half-life in KEP-4136. */
  private static final String HALF_LIFE_OF_THE_KEP = "usageHalfLifeDecayTime";

  private AdmissionFairSharing() {}

  static Optional<UsagePolicy> read(
      YamlBlock root, FeatureGates gates, List<Transformation> transformations) {
    boolean present = root.has(KEY);
    if (present && !gates.enabled(FeatureGate.ADMISSION_FAIR_SHARING)) {
      root.reportUnused(KEY, "the feature gate AdmissionFairSharing is off");
    }
    try (YamlBlock block = root.block(KEY)) {
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
      double penalty = block.decimal(PENALTY, 1);
      if (!(penalty >= 0 && penalty <= UsagePolicy.LARGEST_ENTRY_PENALTY_FACTOR)) {
        throw block.invalid(
            PENALTY,
            "is "
                + penalty
                + "; write a number from 0 to "
                + UsagePolicy.LARGEST_ENTRY_PENALTY_FACTOR);
      }
      reportUncounted(block.block(WEIGHTS), weights.keySet(), transformations);
      if (halfLife.isZero()) {
        for (String key : List.of(RESET, PENALTY)) {
          if (block.has(key)) {
            block.reportUnused(key, "past usage doesn't count while usageHalfLifeTime is 0");
          }
        }
      }
      return present
          ? Optional.of(new UsagePolicy(halfLife, interval, weights, reset, penalty))
          : Optional.empty();
    }
  }

  /** Reports weights of what is neither requested by pods nor counted instead. */
  private static void reportUncounted(
      YamlBlock block, Set<String> weighed, List<Transformation> transformations) {
    weighed.stream()
        .filter(resource -> !resource.matches(Resources.REQUESTED))
        .filter(resource -> !resource.equals(ResourceUnits.PODS))
        .filter(
            resource -> transformations.stream().noneMatch(o -> o.outputs().containsKey(resource)))
        .forEach(
            resource ->
                block.reportUnused(
                    resource, "no pod can request it, and no transformation has it as an output"));
  }

  /**
   * Refuses the keys as KEP-4136 has them, in the block {@code fairSharing} and under another name,
   * and says what they are here.
   */
  static void refuseKeysOfTheKep(YamlBlock root) {
    YamlBlock sharing = root.block("fairSharing");
    for (String key : List.of(HALF_LIFE, INTERVAL, WEIGHTS, RESET)) {
      sharing.refuseMoved(key, KEY + "." + key);
    }
    sharing.refuseMoved(KEY, KEY + ", a block of its own,");
    sharing.refuseMoved(HALF_LIFE_OF_THE_KEP, KEY + "." + HALF_LIFE);
    root.block(KEY).refuseMoved(HALF_LIFE_OF_THE_KEP, KEY + "." + HALF_LIFE);
  }
}
