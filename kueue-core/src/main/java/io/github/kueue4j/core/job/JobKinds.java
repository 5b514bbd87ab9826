// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** All supported kinds of Jobs. To add one, implement {@link JobKind} and list it here. */
@API(status = API.Status.INTERNAL)
public final class JobKinds {
  public static final List<JobKind<?>> ALL = List.of(new BatchJob(), new JobSetKind());

  private JobKinds() {}

  /** The kinds of these names in {@code integrations.frameworks}. */
  public static List<JobKind<?>> named(Collection<String> frameworks) {
    return ALL.stream().filter(kind -> frameworks.contains(kind.framework())).toList();
  }

  /** Whether the owner is of one of the kinds. */
  public static boolean includes(V1OwnerReference owner) {
    return ALL.stream()
        .map(JobKind::type)
        .anyMatch(
            type ->
                type.apiVersion().equals(owner.getApiVersion())
                    && type.kind().equals(owner.getKind()));
  }

  /** The name of the kind in {@code integrations.frameworks}; empty if it isn't supported. */
  public static Optional<String> frameworkOf(ResourceType<?> type) {
    return ALL.stream()
        .filter(kind -> kind.type().equals(type))
        .map(kind -> kind.framework())
        .findFirst();
  }

  /** Their names in {@code integrations.frameworks}. */
  public static List<String> frameworks() {
    return ALL.stream().map(JobKind::framework).toList();
  }
}
