// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A group of identical pods of a workload.
 *
 * @param name unique in the workload; absent is {@code main}
 * @param template the pods; treat it as read-only
 * @param count number of pods, 0 or more; absent is 1
 * @param minCount the smallest number of pods under partial admission, 1 to count; absent forbids
 *     partial admission
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSet(
    String name, @Required V1PodTemplateSpec template, Integer count, @Nullable Integer minCount) {
  public PodSet {
    name = name == null ? "main" : name;
    template = template == null ? new V1PodTemplateSpec() : template;
    count = count == null ? 1 : count;
  }

  /** A copy with another {@code template}. */
  public PodSet withTemplate(V1PodTemplateSpec template) {
    return new PodSet(name, template, count, minCount);
  }

  /** A copy with another {@code minCount}. */
  public PodSet withMinCount(@Nullable Integer minCount) {
    return new PodSet(name, template, count, minCount);
  }
}
