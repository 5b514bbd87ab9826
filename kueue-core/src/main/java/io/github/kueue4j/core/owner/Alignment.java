// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.JobWorkload.Priority;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.PodGroupRoster;
import io.github.kueue4j.jobs.Trimming;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The match of a Workload with its Job, and the action if it doesn't match. Without a reservation,
 * the Workload is updated to match the Job. With one, it was decided for other pods than the Job's:
 * such a Workload is replaced, which stops the Job and releases the quota.
 */
@API(status = API.Status.INTERNAL)
public sealed interface Alignment {
  /** They match, or are not to be compared yet. */
  record InSync() implements Alignment {}

  /**
   * The Workload is to be updated.
   *
   * @param before the Workload as it was read
   * @param after the updated Workload
   * @param what the names of the changed parts, for messages
   */
  record Change(Workload before, Workload after, List<String> what) implements Alignment {
    public Change {
      what = List.copyOf(what);
    }
  }

  /**
   * Its pods are to be updated, for which the Workload and the Job must be read from the API
   * untrimmed.
   */
  record Recheck() implements Alignment {}

  /** The Workload is to be deleted, so that a new one is created for the Job. */
  record Replace() implements Alignment {}

  /**
   * The Workload is prebuilt, and for other pods than the Job's: the Workload is to be finished.
   */
  record OutOfSync(FinishedOwner finished) implements Alignment {}

  /**
   * Compares a Job with its Workload, which isn't finished.
   *
   * @param named the priority of the WorkloadPriorityClass that the Job names; empty if it names
   *     none or a missing one
   * @param lenient whether to compare only the fields that scheduling depends on, because the
   *     server stores other fields differently from how they were sent
   */
  static <T extends KubernetesObject> Alignment of(
      JobKind<T> kind,
      T job,
      List<PodSet> podSets,
      Workload workload,
      Phase phase,
      Optional<Priority> named,
      boolean lenient) {
    boolean suspended = kind.suspended(job);
    List<PodSet> known = workload.spec().podSets();
    boolean same =
        (lenient || JobWorkload.prebuilt(job).isPresent())
            ? Equivalence.sameRequest(podSets, known)
            : Equivalence.same(podSets, known);
    WorkloadUpdate draft = new WorkloadUpdate(workload, job);
    draft.followPriority(named, Phase.holdsQuota(workload));
    draft.followGates();
    draft.awaitPods(Optional.empty());
    return switch (phase) {
      case FINISHED, EVICTING -> new InSync();
      case ADMITTED -> {
        Admission admission = workload.status().admission();
        yield admission == null
                || Equivalence.asAdmitted(
                    podSets, kind.reclaimablePods(job), known, admission, !suspended)
            ? draft.outcome()
            : mismatch(job);
      }
      case RESERVED -> {
        if (!suspended) {
          yield new InSync();
        }
        if (!same || draft.movesToAnotherQueue()) {
          yield mismatch(job);
        }
        draft.followExecutionTime();
        yield draft.outcome();
      }
      case DEACTIVATED, BACKOFF, HELD, QUEUED -> {
        if (Phase.holdsQuota(workload) || !suspended) {
          yield new InSync();
        }
        if (!same && JobWorkload.prebuilt(job).isPresent()) {
          yield mismatch(job);
        }
        if (!same && !(Trimming.whole(podSets) && Trimming.whole(known))) {
          yield new Recheck();
        }
        if (!same) {
          draft.takePodSets(podSets);
        }
        draft.followQueue();
        draft.followExecutionTime();
        yield draft.outcome();
      }
    };
  }

  /**
   * Compares a group of pods with its Workload, which isn't finished. The pod sets stay as they
   * are: a pod that doesn't fit waits in vain.
   *
   * @param named the priority of the WorkloadPriorityClass that its first pod names; empty if it
   *     names none or a missing one
   */
  static Alignment ofGroup(
      PodGroup group, Workload workload, Phase phase, Optional<Priority> named) {
    PodGroupRoster roster = PodGroupRoster.of(group, workload);
    if (phase == Phase.FINISHED || phase == Phase.EVICTING) {
      return new InSync();
    }
    Optional<V1Pod> first = group.active().stream().findFirst();
    WorkloadUpdate draft = new WorkloadUpdate(workload, first.isPresent() ? first.get() : workload);
    // Quota that no pod would use isn't asked for.
    draft.awaitPods(
        Optional.of("true")
            .filter(is -> !Phase.holdsQuota(workload) && roster.lacksPods(group, workload)));
    if (roster.placed().isEmpty()) {
      return draft.outcome();
    }
    boolean waits = group.running().isEmpty() && !Phase.holdsQuota(workload);
    draft.followOwners(group, roster);
    if (group.misfit().isEmpty()) {
      draft.followPriority(named, Phase.holdsQuota(workload));
      draft.followGates();
      draft.followRevision(group);
      if (waits) {
        draft.followQueue();
        draft.followExecutionTime();
      } else if (phase == Phase.RESERVED && draft.movesToAnotherQueue()) {
        return new Replace();
      }
    }
    return draft.outcome();
  }

  /** It isn't known what pods the Job of a Workload without quota asks for. */
  static Alignment awaitsPods(KubernetesObject job, Workload workload, String why) {
    WorkloadUpdate draft = new WorkloadUpdate(workload, job);
    draft.awaitPods(Optional.of(why));
    return draft.outcome();
  }

  /** The Workload can't stand for the Job as it is now. */
  static Alignment mismatch(KubernetesObject job) {
    return JobWorkload.prebuilt(job).isPresent()
        ? new OutOfSync(
            new FinishedOwner(
                "OutOfSync", "The prebuilt workload is out of sync with its user job"))
        : new Replace();
  }
}
