// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Job that runs on one version of a Workload, bound to the kind that controls it; see {@link
 * Jobs#of}. Each call looks the Job up anew in the cache, so that it sees what an earlier call has
 * written.
 *
 * <p>Called only by the one worker of the Workload, so that starts and stops of a Job never
 * overlap.
 */
@API(status = API.Status.INTERNAL)
public sealed interface WorkloadJob permits GroupedPods, ManagedJob, UnmanagedJob {

  /** Whether a Job of a kind that is managed controls the Workload, or did until it was deleted. */
  boolean managed();

  /** How the Job ended; a Workload whose owner was deleted counts as finished, too. */
  Optional<FinishedOwner> finished();

  /** Whether the Job runs, according to the cache. */
  boolean running();

  /** Whether another Workload holds quota for the Job, so that it needn't stop for this one. */
  boolean runsOnAnotherWorkload();

  /**
   * Whether the Job must be stopped while its Workload waits: it runs, or still bears marks of an
   * earlier start.
   */
  boolean needsStop();

  /** Whether all pods of the Job are ready or have succeeded; empty if the Job isn't known. */
  Optional<Boolean> podsReady();

  /**
   * Asks whether anything of the Job can run. The API server is asked, and only if the cache says
   * that nothing does: {@link Owner#UNKNOWN} otherwise.
   */
  Owner atRest();

  /**
   * Stops the Job and says whether anything of it can still run. Of a Job that is being deleted, or
   * is gone, the pods are only waited for: they are deleted with it.
   */
  Owner stop();

  /**
   * When to {@link #stop} again although nothing has changed, because pods still run that no status
   * counts; empty if there are none.
   */
  Optional<Instant> nextLookAtPods();

  /**
   * The Workload with what starting and stopping its Job has shown: that the Job runs on although
   * it was suspended, or does no more; or that its start was undone, so that the Workload is to be
   * deactivated. Empty if its conditions say so already, and for groups of pods.
   */
  Optional<Workload> withItsNews(Phase phase);

  /**
   * Starts the Job of an admitted Workload unless it runs.
   *
   * @param enforced whether what a check of this name adds to pods counts
   * @return why it can never start; empty if it runs
   */
  Optional<FinishedOwner> start(
      Admission admission,
      Function<String, @Nullable ResourceFlavor> flavors,
      Predicate<String> enforced);

  /** Compares the Workload, which isn't finished, with the demand of its Job. */
  Alignment alignment(Phase phase);

  /** Records that the Job has become the controller of a Workload that it names. */
  void recordClaim();

  /**
   * Records that {@link #alignment} asked for a change and this version of the Workload is the
   * result.
   */
  void recordChange(Alignment.Change change);

  /** Records on the Job that the API server refuses the Workload that the Job asks for. */
  void recordRefusal(KubernetesApiException.Invalid refused);

  /** Records on the Job that its Workload was deleted because it doesn't match the Job. */
  void recordReplacement();

  /** Records on the Job why it was stopped. */
  void recordStop(String why);

  /**
   * The Workload with the pods that will never run again, if its status doesn't say so (KEP-78).
   */
  Optional<Workload> reclaimed();

  /**
   * When the Workload, which is finished, may be deleted; empty if never, or not before its Job has
   * ended.
   */
  Optional<Instant> finishedKeptUntil();

  /**
   * Lets go of the Job of a finished Workload, if that has ended and the core kept it by a
   * finalizer.
   */
  void release();

  /** When the Job of the Workload, which was deactivated, may be deleted; empty if never. */
  Optional<Instant> deactivatedKeptUntil();

  /** Deletes the Job, whose Workload was kept deactivated for long enough. */
  void delete();
}
