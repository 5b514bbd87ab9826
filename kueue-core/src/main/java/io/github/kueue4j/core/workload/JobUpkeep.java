// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a Job do what its Workload, on which nothing else is to be decided, allows. */
final class JobUpkeep {
  private final Jobs jobs;
  private final WorkloadWriter writer;
  private final SituationBuilder situations;
  private final TurnPlanner planner;
  private final JobAlignment alignment;

  JobUpkeep(
      Jobs jobs,
      WorkloadWriter writer,
      SituationBuilder situations,
      TurnPlanner planner,
      JobAlignment alignment) {
    this.jobs = jobs;
    this.writer = writer;
    this.situations = situations;
    this.planner = planner;
    this.alignment = alignment;
  }

  /**
   * Stops the Job of a Workload that was evicted or deactivated, before its quota is released.
   *
   * @return what is known about the Job then; {@link Owner#UNKNOWN} if it need not stop
   */
  Owner stopEvicted(Turn turn) {
    return stopsFirst(turn) ? turn.job().stop() : Owner.UNKNOWN;
  }

  /** Whether the Job is stopped before anything is decided about its Workload. */
  static boolean stopsFirst(Turn turn) {
    return turn.phase() == Phase.EVICTING
        || (turn.phase() == Phase.DEACTIVATED && turn.holdsQuota());
  }

  /**
   * Starts, stops or deletes the Job of a Workload for which the lifecycle has nothing to write.
   *
   * @param wakeAt when the lifecycle has something to do; null if time alone brings nothing
   */
  Step maintain(Turn turn, @Nullable Instant wakeAt) {
    Optional<Step> followed = follow(turn);
    if (followed.isPresent()) {
      return followed.get();
    }
    Admission admission = turn.workload().status().admission();
    if (turn.phase() == Phase.ADMITTED && admission != null) {
      return turn.job()
          .start(admission, situations::flavor, check -> !situations.observes(check))
          .map(impossible -> writer.finish(turn, impossible))
          .or(() -> tellItsNews(turn))
          .orElseGet(() -> waitUntil(turn, wakeAt));
    }
    if (!stopsFirst(turn) && turn.job().needsStop()) {
      turn.job().stop();
      if (!turn.job().needsStop()) {
        return new Step.Again(turn.workload());
      }
    }
    Optional<Step> told = tellItsNews(turn);
    if (told.isPresent()) {
      return told.get();
    }
    Optional<Instant> keptUntil =
        turn.holdsQuota() ? Optional.empty() : turn.job().deactivatedKeptUntil();
    if (keptUntil.isPresent()) {
      if (turn.now().isBefore(keptUntil.get())) {
        return new Step.Done(Requeue.at(keptUntil.get()));
      }
      turn.job().delete();
    }
    return waitUntil(turn, wakeAt);
  }

  /** Makes the Workload follow the pods of its Job that have ended, and its priority class. */
  private Optional<Step> follow(Turn turn) {
    Workload workload = turn.workload();
    Optional<Workload> reclaimed = turn.holdsQuota() ? turn.job().reclaimed() : Optional.empty();
    if (reclaimed.isPresent()) {
      return Optional.of(
          new Step.Again(writer.patchStatus(GuardedPatch.ofStatus(workload, reclaimed.get()))));
    }
    OptionalInt priority = jobs.changedPriority(workload);
    if (priority.isPresent()) {
      Workload changed = workload.withSpec(workload.spec().withPriority(priority.getAsInt()));
      return Optional.of(new Step.Again(writer.patch(GuardedPatch.between(workload, changed))));
    }
    return Optional.empty();
  }

  private Optional<Step> tellItsNews(Turn turn) {
    return turn.job()
        .withItsNews(turn.phase())
        .map(
            told ->
                new Step.Again(writer.patchStatus(GuardedPatch.ofStatus(turn.workload(), told))));
  }

  private Step waitUntil(Turn turn, @Nullable Instant wakeAt) {
    return new Step.Done(
        wakeUp(
            turn.now(),
            wakeAt,
            planner.pendingReasonDue(turn),
            alignment.refusedUntil(turn.key()),
            turn.job().nextLookAtPods()));
  }

  /**
   * Wakes for the lifecycle, for a pending reason that is to be written, for a change that was
   * refused and is to be asked for again, or for pods that run on, whichever comes first.
   *
   * @param planned when the step was planned: a pending reason that was due then is written
   *     already; one that has become due since isn't
   * @param refusedUntil later than the step's begin, though maybe past by now
   * @param pods when to look again whether those of a stopped Job have ended
   */
  static Requeue wakeUp(
      Instant planned,
      @Nullable Instant lifecycle,
      Optional<Instant> pendingReasonDue,
      Optional<Instant> refusedUntil,
      Optional<Instant> pods) {
    return Stream.of(
            Optional.ofNullable(lifecycle),
            pendingReasonDue.filter(due -> due.isAfter(planned)),
            refusedUntil,
            pods)
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .map(Requeue::at)
        .orElseGet(Requeue::never);
  }
}
