// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ResourceType;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A kind whose objects run pods without an end, and have no Workload: each pod is queued as a
 * {@link PlainPod}. The webhook carries the queue of an object into its pod template, {@code
 * spec.template}.
 *
 * @param framework the name in {@code integrations.frameworks}
 * @param type the resource type; of the objects only metadata and template are read
 */
@API(status = API.Status.INTERNAL)
public record ServingKind(
    String framework, ResourceType<CustomResource<UnmanagedKind.Unread>> type) {
  public static final List<ServingKind> ALL =
      List.of(
          new ServingKind(
              "deployment",
              ResourceType.namespaced("apps/v1", "Deployment", UnmanagedKind.Unread.class)));

  /** The one that these objects are of; empty if there is none. */
  public static Optional<ServingKind> of(ResourceType<?> type) {
    return ALL.stream().filter(kind -> kind.type().equals(type)).findFirst();
  }
}
