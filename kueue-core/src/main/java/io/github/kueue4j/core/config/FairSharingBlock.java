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
package io.github.kueue4j.core.config;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import java.util.Arrays;
import java.util.List;

/** Reads the block {@code fairSharing}. */
final class FairSharingBlock {
  private FairSharingBlock() {}

  /** The names of all strategies, in the order in which they are tried. */
  static String[] words() {
    return Arrays.stream(FairSharingStrategy.values())
        .map(FairSharingStrategy::word)
        .toArray(String[]::new);
  }

  /** The block switches it on; {@code enable: false} leaves it off, as in older versions. */
  static List<FairSharingStrategy> read(ConfigurationBlock root) {
    try (ConfigurationBlock block = root.block("fairSharing")) {
      boolean switched = block.has("enable");
      boolean enabled = block.flag("enable", true);
      List<String> given =
          block.texts("preemptionStrategies", switched ? List.of(words()) : List.of());
      if (!root.has("fairSharing") || !enabled) {
        return List.of();
      }
      List<FairSharingStrategy> strategies =
          Arrays.stream(FairSharingStrategy.values())
              .filter(strategy -> given.contains(strategy.word()))
              .toList();
      if (given.isEmpty()
          || !strategies.stream().map(FairSharingStrategy::word).toList().equals(given)) {
        throw block.invalid(
            "preemptionStrategies",
            "is "
                + given
                + "; allowed: [LessThanOrEqualToFinalShare], [LessThanInitialShare], or both in this"
                + " order");
      }
      return strategies;
    }
  }
}
