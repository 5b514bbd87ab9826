// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Reads the block {@code fairSharing}. */
final class FairSharingBlock {
  private FairSharingBlock() {}

  /** The names of all strategies, in the order in which they are tried. */
  static String[] words() {
    return Arrays.stream(FairSharingStrategy.values())
        .map(FairSharingStrategy::configName)
        .toArray(String[]::new);
  }

  /**
   * The strategies; empty if the block is absent, has an empty list of them or, as in older
   * versions, {@code enable: false}.
   */
  static List<FairSharingStrategy> read(YamlBlock root) {
    try (YamlBlock block = root.block("fairSharing")) {
      boolean chosen = block.has("preemptionStrategies");
      boolean switched = block.has("enable");
      boolean enabled = block.flag("enable", true);
      List<String> given =
          block.texts("preemptionStrategies", switched ? List.of(words()) : List.of());
      if (!enabled) {
        block.reportUnusedBut(Set.of("enable"), "enable is false");
      }
      if (!root.has("fairSharing") || !enabled) {
        return List.of();
      }
      List<FairSharingStrategy> strategies =
          Arrays.stream(FairSharingStrategy.values())
              .filter(strategy -> given.contains(strategy.configName()))
              .toList();
      if ((given.isEmpty() && !chosen)
          || !strategies.stream().map(FairSharingStrategy::configName).toList().equals(given)) {
        throw block.invalid(
            "preemptionStrategies",
            (chosen ? "is " + given : "is missing")
                + "; allowed: [LessThanOrEqualToFinalShare], [LessThanInitialShare], both in this"
                + " order, or [] for none");
      }
      return strategies;
    }
  }
}
