// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.queue.Transformation;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the block {@code resources}: which resources of pods need quota. */
final class Resources {
  private static final String IGNORE = "IgnoreUndeclared";
  private static final String REPLACE = "Replace";

  /** What the API server takes as a resource of a container. */
  static final String REQUESTED = "cpu|memory|ephemeral-storage|hugepages-.+|.+/.+";

  private Resources() {}

  static ResourceRules read(YamlBlock block, FeatureGates gates, Extensions extensions) {
    boolean ignores =
        block
            .oneOf("quotaCheckStrategy", "BlockUndeclared", "BlockUndeclared", IGNORE)
            .equals(IGNORE);
    if (ignores && !gates.enabled(FeatureGate.QUOTA_CHECK_STRATEGY)) {
      block.reportUnused("quotaCheckStrategy", "the feature gate QuotaCheckStrategy is off");
      ignores = false;
    }
    List<String> excluded = block.texts("excludeResourcePrefixes", List.of());
    if (ignores && !excluded.isEmpty()) {
      throw block.invalid(
          "excludeResourcePrefixes",
          "has no meaning with quotaCheckStrategy " + IGNORE + "; remove one of them");
    }
    if (excluded.contains("")) {
      throw block.invalid(
          "excludeResourcePrefixes",
          "has an empty prefix, which excludes every resource; remove it");
    }
    excluded.stream()
        .filter(prefix -> prefix.contains("*"))
        .findFirst()
        .ifPresent(
            prefix -> {
              throw block.invalid(
                  "excludeResourcePrefixes",
                  "has \"" + prefix + "\", which no resource begins with; write it without *");
            });
    List<Transformation> transformations = new ArrayList<>();
    Set<String> inputs = new HashSet<>();
    for (YamlBlock item : block.blocks("transformations")) {
      try (item) {
        Transformation transformation = transformation(item);
        if (transformation.input().isEmpty() || !inputs.add(transformation.input())) {
          throw item.invalid(
              "input",
              transformation.input().isEmpty()
                  ? "is missing; name a resource"
                  : "is given to two transformations; join them");
        }
        transformations.add(transformation);
        reportWithoutEffect(item, transformation, excluded);
      }
    }
    return new ResourceRules(excluded, transformations, ignores, refused(gates, extensions));
  }

  private static void reportWithoutEffect(
      YamlBlock item, Transformation transformation, List<String> excluded) {
    reportUncounted(item, "input", transformation.input(), excluded);
    String factor = transformation.multiplyBy();
    if (factor != null) {
      reportUncounted(item, "multiplyBy", factor, excluded);
    }
    if (transformation.outputs().isEmpty() && !transformation.replaces()) {
      item.reportUnused("input", "without outputs only strategy " + REPLACE + " has an effect");
    } else if (transformation.outputs().isEmpty() && factor != null) {
      item.reportUnused("multiplyBy", "there are no outputs");
    }
  }

  /** Reports a resource that no pod requests, or none that counts. */
  private static void reportUncounted(
      YamlBlock item, String key, String resource, List<String> excluded) {
    if (!resource.matches(REQUESTED)) {
      item.reportUnused(
          key,
          "no pod can request \""
              + resource
              + "\"; write cpu, memory, ephemeral-storage, a name that begins with hugepages-, or"
              + " one with a prefix, such as example.com/gpu");
    }
    excluded.stream()
        .filter(resource::startsWith)
        .findFirst()
        .ifPresent(
            prefix -> item.reportUnused(key, "excludeResourcePrefixes has \"" + prefix + "\""));
  }

  private static Set<Unsupported.Feature> refused(FeatureGates gates, Extensions extensions) {
    Set<Unsupported.Feature> refused = EnumSet.noneOf(Unsupported.Feature.class);
    if (gates.enabled(FeatureGate.KUEUE_DRA_REJECT_WORKLOADS_WHEN_DRA_DISABLED)) {
      refused.add(Unsupported.Feature.DEVICE_CLAIM);
    }
    if (extensions.refusesTopologies()) {
      refused.add(Unsupported.Feature.TOPOLOGY_REQUEST);
    }
    return refused;
  }

  private static Transformation transformation(YamlBlock item) {
    boolean replaces = item.oneOf("strategy", "Retain", "Retain", REPLACE).equals(REPLACE);
    Map<String, Quantity> outputs = new HashMap<>();
    item.textMap("outputs")
        .forEach(
            (resource, amount) -> {
              Quantity output;
              try {
                output = Quantity.parse(amount);
              } catch (IllegalArgumentException e) {
                throw item.invalid(
                    "outputs",
                    "has \"" + amount + "\" for " + resource + ", which is not a quantity");
              }
              if (output.compareTo(Quantity.ZERO) < 0) {
                throw item.invalid(
                    "outputs", "has \"" + amount + "\" for " + resource + ", which is negative");
              }
              outputs.put(resource, output);
            });
    return new Transformation(
        item.text("input", ""), replaces, item.text("multiplyBy").orElse(null), outputs);
  }
}
