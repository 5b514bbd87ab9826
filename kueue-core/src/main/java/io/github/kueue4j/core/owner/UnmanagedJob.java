// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a Workload that no managed kind of Job controls: an external controller's object, or
 * none.
 *
 * @param finishesOrphans whether a Workload whose Job was deleted without it counts as finished
 * @param selectors of the pods that a Job with this uid, of any managed kind, has left
 */
record UnmanagedJob(
    Workload workload,
    Retention retention,
    boolean finishesOrphans,
    StoppedPods stoppedPods,
    Function<String, List<String>> selectors)
    implements WorkloadJob {
  @Override
  public boolean managed() {
    return JobWorkload.orphaned(workload);
  }

  /** Whether the pods of a Job that was deleted without them run on, on the Workload's quota. */
  private boolean orphansRun() {
    return JobWorkload.orphanOf(workload)
        .filter(uid -> Phase.holdsQuota(workload) && workload.conditions().admitted())
        .filter(uid -> stoppedPods.run(workload, selectors.apply(uid)))
        .isPresent();
  }

  @Override
  public Optional<FinishedOwner> finished() {
    return finishesOrphans && JobWorkload.orphaned(workload) && !orphansRun()
        ? Optional.of(new FinishedOwner("OwnerNotFound", "The workload's owner no longer exists"))
        : Optional.empty();
  }

  private boolean ownerless() {
    return Metadata.owners(workload).isEmpty();
  }

  @Override
  public boolean running() {
    return false;
  }

  @Override
  public boolean runsOnAnotherWorkload() {
    return false;
  }

  @Override
  public boolean needsStop() {
    return false;
  }

  @Override
  public Optional<Boolean> podsReady() {
    return Optional.empty();
  }

  @Override
  public Owner atRest() {
    return stop();
  }

  /** An external controller releases the quota itself once its object has stopped. */
  @Override
  public Owner stop() {
    if (JobWorkload.orphaned(workload)) {
      return orphansRun() ? Owner.RUNNING : Owner.STOPPED;
    }
    return ownerless() ? Owner.NONE : Owner.UNKNOWN;
  }

  @Override
  public Optional<Instant> nextLookAtPods() {
    return stoppedPods.nextLook(ObjectKey.of(workload));
  }

  /** A stop that was told was that of a Job that is gone. */
  @Override
  public Optional<Workload> withItsNews(Phase phase) {
    return UnheededStops.none(workload);
  }

  @Override
  public Optional<FinishedOwner> start(
      Admission admission,
      Function<String, @Nullable ResourceFlavor> flavors,
      Predicate<String> enforced) {
    return Optional.empty();
  }

  @Override
  public Alignment alignment(Phase phase) {
    return new Alignment.InSync();
  }

  @Override
  public void recordClaim() {}

  @Override
  public void recordChange(Alignment.Change change) {}

  @Override
  public void recordRefusal(KubernetesApiException.Invalid refused) {}

  @Override
  public void recordReplacement() {}

  @Override
  public void recordStop(String why) {}

  @Override
  public Optional<Workload> reclaimed() {
    return Optional.empty();
  }

  @Override
  public Optional<Instant> finishedKeptUntil() {
    return retention.finishedUntil(workload);
  }

  @Override
  public void release() {}

  @Override
  public Optional<Instant> deactivatedKeptUntil() {
    return Optional.empty();
  }

  @Override
  public void delete() {}
}
