// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Deduplicates equal pod specs in caches: the Jobs of a parameter sweep differ only in their
 * arguments, which are trimmed. Thread-safe.
 */
final class PodSpecInterner {
  private static final int MOST = 1_024;

  /** The recently used pod specs, the least recently used first. */
  private final Map<V1PodSpec, V1PodSpec> latest =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<V1PodSpec, V1PodSpec> eldest) {
          return size() > MOST;
        }
      };

  /**
   * The first of the pod specs with the same JSON text. Quantities in different notations are equal
   * as objects, but Jobs and Workloads are compared as text: {@code 1Gi} must not become {@code
   * 1073741824}.
   *
   * @param pod must not be modified any more
   */
  synchronized V1PodSpec first(V1PodSpec pod) {
    V1PodSpec first = latest.putIfAbsent(pod, pod);
    return first != null && PodTemplates.same(first, pod) ? first : pod;
  }
}
