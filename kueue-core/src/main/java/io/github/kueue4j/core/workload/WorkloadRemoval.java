// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;
import java.util.Optional;

/** Ends the life of Workloads: what is left to do once one has finished or is being deleted. */
final class WorkloadRemoval {
  private final WorkloadWriter writer;
  private final PlanReporter reporter;

  WorkloadRemoval(WorkloadWriter writer, PlanReporter reporter) {
    this.writer = writer;
    this.reporter = reporter;
  }

  /** Lets go of a Workload that is being deleted, once nothing runs on its quota. */
  Step release(Workload workload, WorkloadJob job) {
    boolean mayRun = job.running() || Phase.holdsQuota(workload);
    if (job.managed()
        && job.finished().isEmpty()
        && mayRun
        && !job.runsOnAnotherWorkload()
        && job.stop() != Owner.STOPPED) {
      // Its pods still use the quota, which is free for others once the Workload is gone.
      return writer.awaitStop(workload, job);
    }
    writer.dropFinalizer(workload);
    return Step.done();
  }

  /** Keeps a Workload that has finished for a while, or for ever, and deletes it then. */
  Step retain(Turn turn) {
    writer.abandon(turn);
    Workload workload = turn.workload();
    if (turn.job().running()) {
      // It could not start; there is no quota for it to run on if another client starts it.
      turn.job().stop();
    }
    turn.job().release();
    writer.dropFinalizer(workload);
    Optional<Instant> until = turn.job().finishedKeptUntil();
    if (until.isPresent() && turn.now().isBefore(until.get())) {
      return new Step.Done(Requeue.at(until.get()));
    }
    if (until.isPresent()) {
      writer.delete(workload);
      reporter.deleted(workload);
    }
    return Step.done();
  }
}
