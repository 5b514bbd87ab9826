// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceFlavorSpec;
import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The rules for ResourceFlavors beyond their schema. */
final class ResourceFlavorRules {
  private ResourceFlavorRules() {}

  static List<Violation> of(ResourceFlavor flavor) {
    ResourceFlavorSpec spec = flavor.spec();
    Findings findings = new Findings();
    Syntax.labels(findings, "spec.nodeLabels", spec.nodeLabels());
    Set<Map.Entry<String, String>> seen = new HashSet<>();
    for (int i = 0; i < spec.nodeTaints().size(); i++) {
      V1Taint taint = spec.nodeTaints().get(i);
      String path = "spec.nodeTaints[" + i + "]";
      String key = Objects.requireNonNullElse(taint.getKey(), "");
      String value = Objects.requireNonNullElse(taint.getValue(), "");
      findings.invalid(path + ".key", key, Syntax.qualifiedName(key));
      findings.invalid(path + ".value", value, Syntax.labelValue(value));
      if (!seen.add(Map.entry(key, Objects.requireNonNullElse(taint.getEffect(), "")))) {
        findings.duplicate(
            path, key + ":" + taint.getEffect(), "taints are unique by key and effect; remove one");
      }
    }
    tolerations(findings, "spec.tolerations", spec.tolerations());
    return findings.all();
  }

  /** Checks the keys of tolerations; the schema checks the other fields. */
  static void tolerations(Findings findings, String field, List<V1Toleration> tolerations) {
    for (int i = 0; i < tolerations.size(); i++) {
      String key = Objects.requireNonNullElse(tolerations.get(i).getKey(), "");
      if (!key.isEmpty()) {
        findings.invalid(field + "[" + i + "].key", key, Syntax.qualifiedName(key));
      }
    }
  }
}
