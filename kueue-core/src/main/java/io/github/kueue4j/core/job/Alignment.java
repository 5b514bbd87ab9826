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
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.job.JobWorkload.Priority;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Whether a Workload still says what its Job asks for, and what is to be done if it doesn't. While
 * nothing is reserved, the Workload follows the Job. What was decided about other pods than the
 * Job's doesn't count: such a Workload is replaced, which stops the Job and gives the quota back.
 */
@API(status = API.Status.INTERNAL)
public sealed interface Alignment {
  /** They agree, or it is not yet the time to look. */
  record InLine() implements Alignment {}

  /**
   * The Workload is to be changed.
   *
   * @param before the Workload that was looked at
   * @param after what it becomes
   * @param what of it changes, for people
   */
  record Change(Workload before, Workload after, List<String> what) implements Alignment {
    public Change {
      what = List.copyOf(what);
    }
  }

  /** Its pods are to be changed, which takes whole copies of the Workload and of the Job's pods. */
  record Recheck() implements Alignment {}

  /** The Workload is to be deleted, so that a new one is made for the Job. */
  record Replace() implements Alignment {}

  /** Somebody else has made the Workload, and for other pods: that can't be mended. */
  record OutOfSync(FinishedOwner finished) implements Alignment {}

  /**
   * Looks at a Job and its Workload, which isn't finished.
   *
   * @param named the priority of the WorkloadPriorityClass that the Job names; empty if it names
   *     none or a missing one
   * @param lenient compares only what a scheduler looks at: the server keeps other fields otherwise
   *     than they were sent, so that they can't be compared
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
    FollowedWorkload draft = new FollowedWorkload(workload, job);
    draft.followPriority(named, Phase.holdsQuota(workload));
    draft.followGates();
    return switch (phase) {
      case FINISHED, EVICTING -> new InLine();
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
          yield new InLine();
        }
        if (!same || draft.movesToAnotherQueue()) {
          yield mismatch(job);
        }
        draft.followExecutionTime();
        yield draft.outcome();
      }
      case DEACTIVATED, BACKOFF, HELD, QUEUED -> {
        if (Phase.holdsQuota(workload) || !suspended) {
          yield new InLine();
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

  private static Alignment mismatch(KubernetesObject job) {
    return JobWorkload.prebuilt(job).isPresent()
        ? new OutOfSync(
            new FinishedOwner(
                "OutOfSync", "The prebuilt workload is out of sync with its user job"))
        : new Replace();
  }
}
