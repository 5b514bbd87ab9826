// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of the annotation with admission gates on Jobs and Workloads: a comma-separated list;
 * each gate is removed by the controller that added it.
 */
final class AdmissionGateRules {
  static final String KEY = "kueue.x-k8s.io/admission-gated-by";

  private static final String FIELD = "metadata.annotations[" + KEY + "]";

  private AdmissionGateRules() {}

  static void check(Findings findings, Map<String, String> annotations) {
    String text = annotations.get(KEY);
    if (text == null || text.isEmpty()) {
      return;
    }
    Set<String> seen = new HashSet<>();
    for (String gate : split(text)) {
      findings.invalid(
          FIELD,
          gate,
          Syntax.qualifiedName(gate)
              .map(problem -> "each of the gates, separated by commas, " + problem));
      if (!seen.add(gate)) {
        findings.duplicate(FIELD, gate, "name each gate once");
      }
    }
  }

  static void checkChange(
      Findings findings, Map<String, String> before, Map<String, String> after) {
    Set<String> added = new LinkedHashSet<>(gates(after));
    added.removeAll(gates(before));
    if (!added.isEmpty()) {
      findings.invalid(
          FIELD,
          String.join(",", added),
          "gates can't be added after creation, only removed; restore the former value");
    }
  }

  private static Set<String> gates(Map<String, String> annotations) {
    String text = annotations.getOrDefault(KEY, "");
    return text.isEmpty() ? Set.of() : new LinkedHashSet<>(split(text));
  }

  private static List<String> split(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }
}
