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

import java.util.Set;
import org.apiguardian.api.API;

/**
 * What a Workload takes over from its Job when it is created, by keys.
 *
 * @param labels of the Job's labels
 * @param annotations of the Job's annotations, besides those that every Workload takes over
 */
@API(status = API.Status.INTERNAL)
public record CopiedMetadata(Set<String> labels, Set<String> annotations) {
  /** Nothing but what every Workload takes over. */
  public static final CopiedMetadata NOTHING = new CopiedMetadata(Set.of(), Set.of());

  public CopiedMetadata {
    labels = Set.copyOf(labels);
    annotations = Set.copyOf(annotations);
  }
}
