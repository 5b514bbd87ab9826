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

import java.util.EnumMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Which feature gates are on.
 *
 * @param set the gates that were set explicitly; the others have their defaults
 */
@API(status = API.Status.EXPERIMENTAL)
public record FeatureGates(Map<FeatureGate, Boolean> set) {
  public FeatureGates {
    set = Map.copyOf(set);
  }

  /** Every gate at its default. */
  public static FeatureGates defaults() {
    return new FeatureGates(Map.of());
  }

  /** Whether {@code gate} is on. */
  public boolean enabled(FeatureGate gate) {
    return set.getOrDefault(gate, gate.enabledByDefault());
  }

  /**
   * These gates with one changed.
   *
   * @throws InvalidConfigurationException if the gate is locked to the other value
   */
  public FeatureGates with(FeatureGate gate, boolean enabled) {
    if (gate.locked() && enabled != gate.enabledByDefault()) {
      throw new InvalidConfigurationException(
          "featureGates."
              + gate.gateName()
              + " is locked to "
              + gate.enabledByDefault()
              + "; remove it");
    }
    Map<FeatureGate, Boolean> changed = new EnumMap<>(FeatureGate.class);
    changed.putAll(set);
    changed.put(gate, enabled);
    return new FeatureGates(changed);
  }
}
