// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.WorkloadNames;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A Job of a kind that can be managed, as it is in the cluster. */
record OwnerJob<T extends KubernetesObject>(JobKind<T> kind, T job) {
  private static final int LONGEST_LABEL = 63;
  private static final Admission NONE = new Admission("", List.of());

  /** Such as {@code Job team/train}; of a pod of a group, that group. */
  String title() {
    return group()
        .map(OwnerJob::group)
        .orElseGet(() -> kind.type().kind() + " " + ObjectKey.of(job));
  }

  /** The group of pods whose Workload has this key. */
  static String group(ObjectKey workload) {
    return "group of pods " + workload;
  }

  /** The key of the Workload that it has together with others; empty if it has its own. */
  Optional<ObjectKey> group() {
    return kind.group(job).map(name -> new ObjectKey(ObjectKey.of(job).namespace(), name));
  }

  /** What its admission is known by: its uid, or its group. */
  String admittedAs() {
    return group().map(OwnerJob::group).orElseGet(() -> Uids.of(job));
  }

  /** Whether it is a pod, which is stopped by its deletion. */
  boolean isPod() {
    return job instanceof V1Pod;
  }

  boolean ended() {
    return Health.terminating(job) || kind.finished(job).isPresent();
  }

  boolean runs() {
    return !ended() && !kind.suspended(job) && !kind.stopBegun(job);
  }

  /** Whether it names a queue itself, so that it needs an admission of its own. */
  boolean queued() {
    return kind.manageable(job) && JobWorkload.queueName(job).isPresent();
  }

  /**
   * Whether it asks for what the Workload was made for. Only counts and resources are compared,
   * because a start adds to the rest of the template.
   */
  boolean asksFor(Workload workload) {
    return Equivalence.asAdmitted(
        kind.podSets(job),
        kind.reclaimablePods(job),
        workload.spec().podSets(),
        Objects.requireNonNullElse(workload.status().admission(), NONE),
        runs());
  }

  /**
   * The key that the core looks for this Job's Workload under: the same as before, unless the Job
   * was created anew, for a name that is made up depends on the Job's uid.
   */
  ObjectKey workloadKey(ObjectKey before) {
    WorkloadNames names = new WorkloadNames(before.name().length() <= LONGEST_LABEL);
    return names.all(kind.type(), job).contains(before) ? before : names.of(kind.type(), job);
  }

  /** The Workload with this Job as its controller. */
  Workload own(Workload workload) {
    return JobWorkload.ownedBy(kind.type(), job, workload);
  }
}
