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
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A group of equal pods of a workload.
 *
 * @param name unique in the workload; absent is {@code main}
 * @param template the pods; treat it as read-only
 * @param count number of pods, 0 or more; absent is 1
 * @param minCount the fewest pods that partial admission may leave, 1 to count; absent forbids it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSet(
    String name, @Required V1PodTemplateSpec template, Integer count, @Nullable Integer minCount) {
  public PodSet {
    name = name == null ? "main" : name;
    template = template == null ? new V1PodTemplateSpec() : template;
    count = count == null ? 1 : count;
  }

  /** A copy with another {@code name}. */
  public PodSet withName(String name) {
    return new PodSet(name, template, count, minCount);
  }

  /** A copy with another {@code template}. */
  public PodSet withTemplate(V1PodTemplateSpec template) {
    return new PodSet(name, template, count, minCount);
  }

  /** A copy with another {@code count}. */
  public PodSet withCount(Integer count) {
    return new PodSet(name, template, count, minCount);
  }

  /** A copy with another {@code minCount}. */
  public PodSet withMinCount(@Nullable Integer minCount) {
    return new PodSet(name, template, count, minCount);
  }
}
