// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.WriteOutcomes;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Reads what a step of a Workload's reconciliation starts from. */
final class Turns {
  private final Jobs jobs;
  private final SituationBuilder situations;
  private final EntryMemory memory;
  private final Outbox outbox;
  private final WriteOutcomes state;
  private final InstantSource clock;

  Turns(
      Jobs jobs,
      SituationBuilder situations,
      EntryMemory memory,
      Outbox outbox,
      WriteOutcomes state,
      InstantSource clock) {
    this.jobs = jobs;
    this.situations = situations;
    this.memory = memory;
    this.outbox = outbox;
    this.state = state;
    this.clock = clock;
  }

  /** Begins a step with a version of a Workload. */
  Turn begin(ObjectKey key, Workload workload) {
    return read(key, workload, jobs.of(workload), outbox.reservation(key), Owner.UNKNOWN);
  }

  /**
   * Reads everything but the Workload and its reservation again: time has passed since the step
   * began.
   *
   * @param owner what is known now about the Job
   */
  Turn again(Turn turn, Owner owner) {
    return read(turn.key(), turn.workload(), turn.job(), turn.reservation(), owner);
  }

  private Turn read(
      ObjectKey key,
      Workload workload,
      WorkloadJob job,
      @Nullable AssumedReservation reservation,
      Owner owner) {
    return new Turn(
        key,
        workload,
        job,
        situations.about(workload, owner, memory.observedEntries(key, workload)),
        reservation,
        new PendingPreemption(key, outbox, state),
        clock.instant());
  }
}
