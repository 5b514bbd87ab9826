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
package io.github.kueue4j.core.admission;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The annotation that keeps a Job or Workload from being admitted: gates, separated by commas, each
 * taken away by whoever put it there.
 */
final class AdmissionGates {
  static final String KEY = "kueue.x-k8s.io/admission-gated-by";

  private static final String FIELD = "metadata.annotations[" + KEY + "]";

  private AdmissionGates() {}

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
