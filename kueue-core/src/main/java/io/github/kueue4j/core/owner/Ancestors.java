// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Finds the managed Jobs to which a Job belongs: the Jobs of a JobSet run on the quota of the
 * JobSet, and have no Workload of their own.
 */
final class Ancestors {
  /** No real nesting is deeper; the limit ends circles of owner references. */
  private static final int MOST_LEVELS = 10;

  private final ManagedKinds kinds;
  private final ExternalOwners externals;
  private final EventRecorder events;

  /**
   * Ancestors of these kinds.
   *
   * @param externals owners that external controllers manage
   */
  Ancestors(ManagedKinds kinds, ExternalOwners externals, EventRecorder events) {
    this.kinds = kinds;
    this.externals = externals;
    this.events = events;
  }

  /** The state of the topmost managed Job above another. */
  enum Above {
    /** There is none. */
    NONE,
    /** It may run. */
    RUNNING,
    /** It is suspended, and so has to be what belongs to it. */
    SUSPENDED
  }

  /** The state of the topmost managed owner of a Job; read from the API if no cache has it. */
  <T extends KubernetesObject> Above above(JobKind<T> kind, T job) {
    return above(new Level<>(kind, job), externals::above, false);
  }

  /**
   * Whether a Job has to be suspended. Unlike {@link #above}, this reads the Workload of an owner
   * that an external controller manages from the API server, and an owner whose controller resumes
   * no Jobs: a Job that is suspended below such an owner because of a stale cache would not be
   * started again.
   */
  <T extends KubernetesObject> boolean suspends(JobKind<T> kind, T job) {
    return above(new Level<>(kind, job), externals::aboveNow, true) == Above.SUSPENDED;
  }

  /** A Job on the way up. */
  record Level<T extends KubernetesObject>(JobKind<T> kind, T job) {
    ChildJob asChild() {
      return ChildJob.of(kind, job);
    }
  }

  private Above above(
      Level<?> lowest, BiFunction<String, V1OwnerReference, Above> aboveExternally, boolean now) {
    Above topmost = Above.NONE;
    Level<?> current = lowest;
    String namespace = ObjectKey.of(lowest.job()).namespace();
    for (int level = 0; level < MOST_LEVELS; level++) {
      Optional<V1OwnerReference> owner = controller(current.job());
      if (owner.filter(externals::isKind).isPresent()) {
        Above above = aboveExternally.apply(namespace, owner.get());
        return above == Above.NONE ? topmost : above;
      }
      Level<?> child = current;
      Optional<JobStore<?>> side = owner.flatMap(kinds::of);
      Optional<? extends Level<?>> parent =
          side.flatMap(found -> found.parent(namespace, owner.orElseThrow(), child));
      if (parent.isEmpty()) {
        return topmost;
      }
      topmost = side.orElseThrow().asAncestor(parent.get().job(), now).orElse(topmost);
      current = parent.get();
    }
    events.warning(
        lowest.job(),
        "JobNestingTooDeep",
        "JobNestingTooDeep",
        "Terminated search for Kueue-managed Job because ancestor depth exceeded limit of "
            + MOST_LEVELS);
    return topmost;
  }

  /**
   * The owner whose pods are in a Job, so that this is never managed by itself: its controller
   * would resume the Job whenever the core suspends it.
   */
  <T extends KubernetesObject> Optional<V1OwnerReference> ofItsPods(JobKind<T> kind, T job) {
    Level<T> level = new Level<>(kind, job);
    return controller(job)
        .filter(
            owner ->
                kinds
                    .of(owner)
                    .filter(side -> side.hasPodsIn(kind.type()))
                    .flatMap(side -> side.parent(ObjectKey.of(job).namespace(), owner, level))
                    .isPresent());
  }

  /** Whether an object of a managed kind controls the Job, whatever its state. */
  boolean possible(KubernetesObject job) {
    return controller(job)
        .filter(
            owner ->
                kinds.of(owner).filter(side -> side.kind().createsJobs()).isPresent()
                    || externals.isKind(owner))
        .isPresent();
  }

  /** The key of the external controller's object to which a Job belongs. */
  Optional<String> external(KubernetesObject job) {
    return controller(job)
        .filter(externals::isKind)
        .map(owner -> external(ObjectKey.of(job).namespace(), owner));
  }

  /** The key of the external controller's object that controls a Workload. */
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
