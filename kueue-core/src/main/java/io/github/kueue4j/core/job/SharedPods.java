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
package io.github.kueue4j.core.job;

import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets the cached copies of pods that ask for the same share one object: the Jobs of a sweep differ
 * in their arguments, which are trimmed. Thread-safe.
 */
final class SharedPods {
  private static final int MOST = 1_024;

  /** The pods that came last, the one first that nobody has asked for the longest. */
  private final Map<V1PodSpec, V1PodSpec> latest =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<V1PodSpec, V1PodSpec> eldest) {
          return size() > MOST;
        }
      };

  /**
   * The first of those that read alike. Amounts are equal however they are written, but Jobs and
   * Workloads are compared as they are written: {@code 1Gi} must not become {@code 1073741824}.
   *
   * @param pod never changed from now on
   */
  synchronized V1PodSpec first(V1PodSpec pod) {
    V1PodSpec first = latest.putIfAbsent(pod, pod);
    return first != null && PodTemplates.same(first, pod) ? first : pod;
  }
}
