// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
   * Reads the block {@code featureGates}, or the flag of the command line. A gate without an effect
   * is reported, and so is an unknown one where what is unsupported is ignored.
   *
   * @throws InvalidConfigurationException if a gate is unknown or locked, has a value other than
   *     true or false, or both the block and the flag are given
   */
  static FeatureGates read(YamlBlock root, Launch launch) {
    Map<String, Boolean> named = root.flags("featureGates");
    boolean flag = !launch.featureGates().isBlank();
    if (flag && root.has("featureGates")) {
      throw root.invalid(
          "featureGates", "can't be given together with --feature-gates; remove one of them");
    }
    FeatureGates gates = defaults();
    for (Map.Entry<String, Boolean> entry :
        (flag ? parse(launch.featureGates()) : named).entrySet()) {
      String name = entry.getKey();
      Optional<FeatureGate> gate = FeatureGate.named(name);
      if (gate.isPresent()) {
        gates = gates.with(gate.get(), entry.getValue());
      } else if (FeatureGate.withoutEffect(name)) {
        root.reportUnused("featureGates." + name, "no effect here");
      } else if (launch.ignoreUnsupported()) {
        root.reportUnused("featureGates." + name, "unknown" + nearest(name).orElse(""));
      } else {
        String problem =
            "names an unknown gate \""
                + name
                + '"'
                + nearest(name).orElse("; remove it")
                + ", or start with "
                + Launch.IGNORE_UNSUPPORTED;
        throw flag
            ? new InvalidConfigurationException("--feature-gates " + problem)
            : root.invalid("featureGates", problem);
      }
    }
    return gates;
  }

  /** Parses the flag of the command line, such as {@code PartialAdmission=false,Other=true}. */
  private static Map<String, Boolean> parse(String text) {
    Map<String, Boolean> named = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int sign = part.indexOf('=');
      String value = part.substring(sign + 1).strip().toLowerCase(Locale.ROOT);
      if (sign < 0 || !(value.equals("true") || value.equals("false"))) {
        throw new InvalidConfigurationException(
            "--feature-gates has \"" + part.strip() + "\"; write Name=true or Name=false");
      }
      String name = part.substring(0, sign).strip();
      if (named.put(name, value.equals("true")) != null) {
        throw new InvalidConfigurationException(
            "--feature-gates has " + name + " twice; remove one of them");
      }
    }
    return named;
  }

  private static Optional<String> nearest(String name) {
    return NearestName.of(name, FeatureGate.names())
        .map(nearest -> "; did you mean \"" + nearest + "\"?");
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
          "the feature gate "
              + gate.gateName()
              + " is locked to "
              + gate.enabledByDefault()
              + ", and can't be "
              + enabled
              + "; remove it from featureGates, or from --feature-gates");
    }
    Map<FeatureGate, Boolean> changed = new EnumMap<>(FeatureGate.class);
    changed.putAll(set);
    changed.put(gate, enabled);
    return new FeatureGates(changed);
  }
}
