// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.observe.restore.RestoredWorkload.RestoreOutcome;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of one Workload of a backup, from what the cluster holds. An admission is
 * put back only if the Job runs: then its pods use the quota whatever is decided. One that doesn't
 * run waits again, and is asked about by its checks again. So what is reserved after a restoration
 * is a part of what was reserved in the backup.
 */
final class RestorePlanner {
  private final OwnerJobs jobs;
  private final Map<ObjectKey, Workload> present;

  /** By Job, the uid that it had last in the backup. */
  private final Map<String, String> lastUids = new HashMap<>();

  /**
   * A planner for one cluster and one backup.
   *
   * @param present the Workloads of the cluster
   * @param oldestFirst those of the backup
   */
  RestorePlanner(OwnerJobs jobs, Map<ObjectKey, Workload> present, List<Workload> oldestFirst) {
    this.jobs = jobs;
    this.present = Map.copyOf(present);
    for (Workload saved : oldestFirst) {
      OwnerJobs.controller(saved)
          .ifPresent(owner -> lastUids.put(title(saved, owner), owner.getUid()));
    }
  }

  RestoreStep plan(Workload saved) {
    if (Health.terminating(saved)) {
      return new RestoreStep.NotNeeded("it was being deleted when the backup was made");
    }
    if (PodGroup.has(saved)) {
      return ofGroup(saved, jobs.members(ObjectKey.of(saved)));
    }
    Optional<V1OwnerReference> owner = OwnerJobs.controller(saved);
    if (owner.isEmpty()) {
      return JobWorkload.orphaned(saved)
          ? new RestoreStep.NotNeeded("its Job had been deleted when the backup was made")
          : withoutJob(saved);
    }
    if (!jobs.know(owner.get())) {
      return present.containsKey(ObjectKey.of(saved))
          ? withoutJob(saved)
          : new RestoreStep.Unrestorable(
              "it belongs to "
                  + title(saved, owner.get())
                  + ", whose own controller has to create it; then run this again");
    }
    String title = title(saved, owner.get());
    if (!owner.get().getUid().equals(lastUids.get(title))) {
      return new RestoreStep.NotNeeded("it belonged to an earlier " + title);
    }
    return jobs.named(ObjectKey.of(saved).namespace(), owner.get())
        .map(job -> ofJob(saved, job))
        .orElseGet(() -> ofMissing(saved, title));
  }

  private static RestoreStep ofMissing(Workload saved, String title) {
    return saved.conditions().finished()
        ? new RestoreStep.NotNeeded("it had finished, and " + title + " is gone")
        : new RestoreStep.Unrestorable(
            title + " doesn't exist; restore it and run this again, unless it was deleted");
  }

  private static String title(Workload saved, V1OwnerReference owner) {
    return owner.getKind() + " " + ObjectKey.of(saved).namespace() + "/" + owner.getName();
  }

  /** One whose owner, if it has any, isn't known here: its admission is its owner's business. */
  private RestoreStep withoutJob(Workload saved) {
    Workload target =
        saved.withMetadata(
            withoutIdentity(saved.metadata(), ObjectKey.of(saved))
                .finalizers(saved.metadata().getFinalizers()));
    return put(
        saved.conditions().holdsQuota() ? RestoreOutcome.RUNS_ON : RestoreOutcome.WAITS,
        target,
        target,
        null);
  }

  private RestoreStep ofJob(Workload saved, OwnerJob<?> job) {
    if (job.ended()) {
      return new RestoreStep.NotNeeded(job.title() + " has ended");
    }
    if (saved.conditions().finished()) {
      return new RestoreStep.NotNeeded(
          "it had finished; its " + job.kind().type().kind() + " of now is queued anew");
    }
    if (!job.asksFor(saved)) {
      return new RestoreStep.Unrestorable(
          job.title() + " asks for other pods than the Workload in the backup");
    }
    if (job.isPod() && job.runs() && !admitted(saved)) {
      return new RestoreStep.Unrestorable(runsSince(job.title()));
    }
    ObjectKey before = ObjectKey.of(saved);
    ObjectKey key = job.workloadKey(before);
    Workload bare = saved.withMetadata(withoutIdentity(saved.metadata(), key));
    Workload stale = key.equals(before) ? null : present.get(before);
    return putOwned(saved, job.runs(), bare, job::own, stale);
  }

  /**
   * One of a group of pods: its owners are those that there are now, or the object that makes them.
   */
  private RestoreStep ofGroup(Workload saved, List<V1Pod> members) {
    ObjectKey key = ObjectKey.of(saved);
    PodGroup group = new PodGroup(key.name(), members);
    if (members.isEmpty() && PodGroup.server(saved).isPresent()) {
      return new RestoreStep.NotNeeded("it has no pods; it is queued with the first");
    }
    if (members.isEmpty()) {
      return saved.conditions().finished()
          ? new RestoreStep.NotNeeded("it had finished, and its pods are gone")
          : new RestoreStep.Unrestorable(
              "no pod of its group exists; restore them and run this again, unless they were deleted");
    }
    if (group.pods().stream().allMatch(PodGroup::ended)
        || group.finished(saved.spec().podSets()).isPresent()) {
      return new RestoreStep.NotNeeded("its pods have ended");
    }
    if (saved.conditions().finished()) {
      return new RestoreStep.NotNeeded("it had finished; its pods of now are queued anew");
    }
    Optional<String> obstacle = new GroupObstacles(saved, group).first();
    if (obstacle.isPresent()) {
      return new RestoreStep.Unrestorable(obstacle.get());
    }
    Optional<V1OwnerReference> server =
        members.stream().flatMap(pod -> PodGroup.server(pod).stream()).findFirst();
    Workload bare = saved.withMetadata(withoutIdentity(saved.metadata(), key));
    return putOwned(
        saved,
        !group.running().isEmpty(),
        bare,
        workload -> JobWorkload.ownedByGroup(server, group.chosen(), workload),
        null);
  }

  /** Whether what runs on it may. */
  static boolean admitted(Workload saved) {
    return saved.conditions().holdsQuota() && saved.conditions().admitted();
  }

  /**
   * The reason about a pod whose Workload only waited: the core would take the pod for one to be
   * stopped.
   */
  static String runsSince(String pod) {
    return pod
        + " has run since the backup, in which it waited: the core would delete it; let it end"
        + " before the core starts, or delete it and create it anew";
  }

  /**
   * Puts the Workload in with its quota if what it was admitted for runs.
   *
   * @param bare without an owner
   * @param own gives it the owner that it has now
   */
  private RestoreStep putOwned(
      Workload saved,
      boolean runs,
      Workload bare,
      UnaryOperator<Workload> own,
      @Nullable Workload stale) {
    if (!saved.conditions().holdsQuota()) {
      return put(RestoreOutcome.WAITS, bare, own.apply(bare), stale);
    }
    if (runs && admitted(saved)) {
      return put(RestoreOutcome.RUNS_ON, bare, own.apply(bare), stale);
    }
    Workload waiting = bare.withStatus(withoutReservation(saved.status()));
    return put(RestoreOutcome.WAITS_AGAIN, waiting, own.apply(waiting), stale);
  }

  /**
   * Puts the Workload in.
   *
   * @param bare without an owner
   * @param owned with the owner that it has now
   */
  private RestoreStep put(
      RestoreOutcome outcome, Workload bare, Workload owned, @Nullable Workload stale) {
    Workload there = present.get(ObjectKey.of(owned));
    if (there == null) {
      return new RestoreStep.Put(outcome, owned, null, stale);
    }
    if (Health.terminating(there)) {
      return new RestoreStep.Unrestorable("the one in the cluster is being deleted");
    }
    if (!Equivalence.sameRequest(there.spec().podSets(), bare.spec().podSets())) {
      return new RestoreStep.Unrestorable("the one in the cluster is for other pods");
    }
    Workload target =
        there
            .withMetadata(hasOwnersOf(there, owned) ? there.metadata() : owned.metadata())
            .withStatus(owned.status());
    if (!blank(there.status()) && !GuardedPatch.ofStatus(there, target).isEmpty()) {
      return new RestoreStep.Unrestorable(
          "the one in the cluster has a status already: a core has decided about it since");
    }
    return new RestoreStep.Put(outcome, target, there, stale);
  }

  private static boolean hasOwnersOf(Workload there, Workload owned) {
    return uids(there).containsAll(uids(owned))
        && OwnerJobs.controller(there).isPresent() == OwnerJobs.controller(owned).isPresent();
  }

  private static Set<String> uids(Workload workload) {
    return Metadata.owners(workload).stream()
        .map(V1OwnerReference::getUid)
        .collect(Collectors.toSet());
  }

  private static boolean blank(WorkloadStatus status) {
    return status.conditions().isEmpty()
        && status.admission() == null
        && status.requeueState() == null
        && status.admissionChecks().isEmpty();
  }

  /** As a reservation that is withdrawn leaves it: no Ready outlives it. */
  private static WorkloadStatus withoutReservation(WorkloadStatus status) {
    List<Condition> conditions = status.conditions();
    for (String type :
        List.of(
            WorkloadConditions.QUOTA_RESERVED,
            WorkloadConditions.ADMITTED,
            WorkloadConditions.PODS_READY)) {
      conditions = Conditions.remove(conditions, type);
    }
    return status
        .withAdmission(null)
        .withConditions(conditions)
        .withAdmissionChecks(
            status.admissionChecks().stream()
                .filter(entry -> !entry.is(CheckState.READY))
                .toList());
  }

  /** Name, labels and annotations; without what a server sets, owners and finalizers. */
  private static V1ObjectMeta withoutIdentity(V1ObjectMeta metadata, ObjectKey key) {
    return new V1ObjectMeta()
        .namespace(key.namespace())
        .name(key.name())
        .labels(metadata.getLabels())
        .annotations(metadata.getAnnotations());
  }
}
