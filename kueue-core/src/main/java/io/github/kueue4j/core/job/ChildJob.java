// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.job;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a batch Job says of itself that its owner can confirm or deny. An owner reference alone
 * proves nothing: the creator of a Job writes it.
 *
 * @param parallelism pods at the same time, at least 0
 * @param template of its pods
 */
@API(status = API.Status.INTERNAL)
public record ChildJob(String name, int parallelism, V1PodTemplateSpec template) {

  /** A batch Job; empty for objects of other kinds. */
  public static Optional<ChildJob> of(KubernetesObject object) {
    if (!(object instanceof V1Job job)) {
      return Optional.empty();
    }
    V1JobSpec spec = job.getSpec();
    Integer parallelism = spec == null ? null : spec.getParallelism();
    return Optional.of(
        new ChildJob(
            Objects.requireNonNullElse(job.getMetadata().getName(), ""),
            Objects.requireNonNullElse(parallelism, 1),
            spec == null ? new V1PodTemplateSpec() : spec.getTemplate()));
  }
}
