// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.NearestName;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The states of the feature gates.
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

  /**
   * Reads the block {@code featureGates}, or the flag of the command line.
   *
   * @param flag {@code name=true,other=false}; empty for none
   */
  static FeatureGates read(ConfigurationBlock root, String flag) {
    FeatureGates gates = defaults();
    for (Map.Entry<String, Boolean> entry : root.flags("featureGates").entrySet()) {
      FeatureGate gate =
          FeatureGate.named(entry.getKey())
              .orElseThrow(() -> root.invalid("featureGates", unknown(entry.getKey())));
      gates = gates.with(gate, entry.getValue());
    }
    if (!flag.isBlank()) {
      if (root.has("featureGates")) {
        throw root.invalid(
            "featureGates", "can't be given together with --feature-gates; remove one of them");
      }
      gates = parse(flag);
    }
    gates
        .ineffective()
        .forEach(gate -> root.reportUnused("featureGates." + gate.gateName(), "no effect here"));
    return gates;
  }

  /** Gates without an effect that were set to another value than their default. */
  private List<FeatureGate> ineffective() {
    return set.keySet().stream()
        .filter(gate -> !gate.effective() && enabled(gate) != gate.enabledByDefault())
        .sorted()
        .toList();
  }

  /**
   * Parses the flag of the command line.
   *
   * @param text such as {@code PartialAdmission=false,ShortWorkloadNames=true}
   * @throws InvalidConfigurationException if a gate doesn't exist, is locked, or has a value other
   *     than true or false
   */
  public static FeatureGates parse(String text) {
    FeatureGates gates = defaults();
    for (String part : text.split(",", -1)) {
      int sign = part.indexOf('=');
      String name = part.substring(0, Math.max(sign, 0)).strip();
      String value = part.substring(sign + 1).strip().toLowerCase(Locale.ROOT);
      if (sign < 0 || !(value.equals("true") || value.equals("false"))) {
        throw new InvalidConfigurationException(
            "--feature-gates has \"" + part.strip() + "\"; write Name=true or Name=false");
      }
      FeatureGate gate =
          FeatureGate.named(name)
              .orElseThrow(
                  () -> new InvalidConfigurationException("--feature-gates " + unknown(name)));
      gates = gates.with(gate, value.equals("true"));
    }
    return gates;
  }

  private static String unknown(String name) {
    return "names an unknown gate \""
        + name
        + "\""
        + NearestName.of(
                name, Arrays.stream(FeatureGate.values()).map(FeatureGate::gateName).toList())
            .map(nearest -> "; did you mean \"" + nearest + "\"?")
            .orElse("; remove it");
  }

  /** Whether a gate is on. */
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
