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
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Who stands above a Job: the Jobs of a JobSet run on the quota of the JobSet, and have no Workload
 * of their own.
 */
final class Ancestors {
  /** Nobody nests deeper; owner references can be made to run in a circle. */
  private static final int MOST_LEVELS = 10;

  private final Function<V1OwnerReference, Optional<? extends JobSide<?>>> sides;
  private final ExternalOwners externals;
  private final EventRecorder events;

  /**
   * Ancestors of these kinds.
   *
   * @param externals those that somebody else looks after
   * @param sides the kind that an owner reference points to; empty if it is not managed
   */
  Ancestors(
      Function<V1OwnerReference, Optional<? extends JobSide<?>>> sides,
      ExternalOwners externals,
      EventRecorder events) {
    this.sides = sides;
    this.externals = externals;
    this.events = events;
  }

  /** What the topmost managed Job above another is doing. */
  enum Above {
    /** There is none. */
    NOBODY,
    /** It may run. */
    RUNNING,
    /** It is suspended, and so has to be what belongs to it. */
    SUSPENDED
  }

  /** Asks the API if the caches don't know an owner. */
  Above above(KubernetesObject job) {
    return above(job, externals::above);
  }

  /**
   * Whether a Job has to be suspended, by what the API server says now of the Workload of an owner
   * that somebody else looks after: who is suspended below that for an old reason is not started
   * again.
   */
  boolean suspends(KubernetesObject job) {
    return above(job, externals::aboveNow) == Above.SUSPENDED;
  }

  private Above above(
      KubernetesObject job, BiFunction<String, V1OwnerReference, Above> aboveExternally) {
    Above topmost = Above.NOBODY;
    KubernetesObject current = job;
    String namespace = ObjectKey.of(job).namespace();
    for (int level = 0; level < MOST_LEVELS; level++) {
      Optional<V1OwnerReference> owner = controller(current);
      if (owner.filter(externals::isKind).isPresent()) {
        Above above = aboveExternally.apply(namespace, owner.get());
        return above == Above.NOBODY ? topmost : above;
      }
      Optional<? extends JobSide<?>> side = owner.flatMap(sides);
      Optional<? extends KubernetesObject> parent =
          side.flatMap(found -> found.find(namespace, owner.orElseThrow()));
      if (parent.isEmpty()) {
        return topmost;
      }
      topmost = side.orElseThrow().asAncestor(parent.get()).orElse(topmost);
      current = parent.get();
    }
    events.warning(
        job,
        "JobNestingTooDeep",
        "JobNestingTooDeep",
        "Terminated search for Kueue-managed Job because ancestor depth exceeded limit of "
            + MOST_LEVELS);
    return topmost;
  }

  /** Whether somebody of a managed kind controls the Job; what it does is not looked at. */
  boolean possible(KubernetesObject job) {
    return controller(job)
        .filter(owner -> sides.apply(owner).isPresent() || externals.isKind(owner))
        .isPresent();
  }

  /** The name of the object of a kind that somebody else looks after to which a Job belongs. */
  Optional<String> external(KubernetesObject job) {
    return controller(job)
        .filter(externals::isKind)
        .map(owner -> external(ObjectKey.of(job).namespace(), owner));
  }

  /** The same of the object that controls a Workload. */
  Optional<String> external(Workload workload) {
    return externals.of(workload).map(owner -> external(ObjectKey.of(workload).namespace(), owner));
  }

  private static String external(String namespace, V1OwnerReference owner) {
    return String.join(" ", namespace, owner.getUid());
  }

  private static Optional<V1OwnerReference> controller(KubernetesObject object) {
    V1ObjectMeta metadata = object.getMetadata();
    List<V1OwnerReference> owners =
        metadata == null || metadata.getOwnerReferences() == null
            ? List.of()
            : Objects.requireNonNull(metadata.getOwnerReferences());
    return owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst();
  }
}
