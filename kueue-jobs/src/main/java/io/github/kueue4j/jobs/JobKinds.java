// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The supported kinds of Jobs.
 *
 * @param all those in code first
 */
@API(status = API.Status.INTERNAL)
public record JobKinds(List<JobKind<?>> all) {
  public JobKinds {
    all = List.copyOf(all);
  }

  /** The kinds that are more than a declaration. */
  public static JobKinds inCode() {
    return new JobKinds(
        List.of(new BatchJob(), new JobSetKind(), new PlainPod(), new TrainJobKind()));
  }

  /** These kinds and others. */
  public JobKinds and(List<? extends JobKind<?>> others) {
    return new JobKinds(Stream.concat(all.stream(), others.stream()).toList());
  }

  /** The kinds of these names in {@code integrations.frameworks}. */
  public List<JobKind<?>> named(Collection<String> frameworks) {
    return all.stream().filter(kind -> frameworks.contains(kind.framework())).toList();
  }

  /** Whether the owner is of one of the kinds. */
  public boolean includes(V1OwnerReference owner) {
    return frameworkOf(owner).isPresent();
  }

  /** The name of the owner's kind; empty if it is of none of the kinds. */
  public Optional<String> frameworkOf(V1OwnerReference owner) {
    return all.stream()
        .filter(kind -> kind.type().isNamed(owner.getApiVersion(), owner.getKind()))
        .map(JobKind::framework)
        .findFirst();
  }

  /** The name of the kind in {@code integrations.frameworks}; empty if it isn't supported. */
  public Optional<String> frameworkOf(ResourceType<?> type) {
    return all.stream()
        .filter(kind -> kind.type().equals(type))
        .map(kind -> kind.framework())
        .findFirst();
  }

  /** Their names in {@code integrations.frameworks}. */
  public List<String> frameworks() {
    return all.stream().map(JobKind::framework).toList();
  }
}
