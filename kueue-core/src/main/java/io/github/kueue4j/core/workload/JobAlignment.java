// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.owner.Alignment;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import java.time.Instant;
import java.util.Optional;

/** Makes a Workload, which isn't finished, say what its Job asks for. */
final class JobAlignment {
  private final Jobs jobs;
  private final WorkloadWriter writer;
  private final RefusedChanges refusedChanges = new RefusedChanges();

  JobAlignment(Jobs jobs, WorkloadWriter writer) {
    this.jobs = jobs;
    this.writer = writer;
  }

  /** Changes the Workload; empty if it agrees with its Job, or can't be changed now. */
  Optional<Step> align(Turn turn) {
    Optional<Workload> claimed = jobs.claimed(turn.workload());
    if (claimed.isPresent()) {
      Workload written = writer.patch(GuardedPatch.between(turn.workload(), claimed.get()));
      jobs.of(written).recordClaim();
      return Optional.of(new Step.Again(written));
    }
    return switch (turn.job().alignment(turn.phase())) {
      case Alignment.InSync inSync -> {
        refusedChanges.forget(turn.key());
        yield reclaim(turn);
      }
      case Alignment.Change change -> change(turn, change);
      case Alignment.Recheck recheck -> Optional.of(new Step.Reread());
      case Alignment.Replace replace -> Optional.of(replace(turn));
      case Alignment.OutOfSync outOfSync -> Optional.of(end(turn, outOfSync));
    };
  }

  /** A Workload that waits asks for less once some of its pods will never run again. */
  private Optional<Step> reclaim(Turn turn) {
    return turn.holdsQuota()
        ? Optional.empty()
        : turn.job()
            .reclaimed()
            .map(reclaimed -> new Step.Again(writer.writeDemand(turn, reclaimed)));
  }

  private Optional<Step> change(Turn turn, Alignment.Change change) {
    Optional<Instant> refusedUntil = refusedChanges.refusedUntil(change, turn.now());
    if (refusedUntil.isPresent()) {
      return refused(turn, refusedUntil.get());
    }
    Workload written;
    try {
      written = writer.patch(GuardedPatch.between(change.before(), change.after()));
    } catch (KubernetesApiException.Invalid refused) {
      turn.job().recordRefusal(refused);
      Instant again = turn.now().plus(RefusedChanges.PAUSE);
      refusedChanges.add(change, again);
      return refused(turn, again);
    } catch (KubernetesApiException e) {
      writer.abandon(turn);
      throw e;
    }
    refusedChanges.forget(turn.key());
    writer.abandon(turn);
    jobs.of(written).recordChange(change);
    return Optional.of(new Step.Again(written));
  }

  private Optional<Step> refused(Turn turn, Instant again) {
    if (turn.holdsQuota()) {
      // It must still answer its checks and give its quota back when that is due.
      return Optional.empty();
    }
    writer.postpone(turn, RefusedChanges.PAUSE);
    return Optional.of(new Step.Done(Requeue.at(again)));
  }

  private Step replace(Turn turn) {
    writer.abandon(turn);
    writer.delete(turn.workload());
    turn.job().recordReplacement();
    return new Step.Reread();
  }

  private Step end(Turn turn, Alignment.OutOfSync outOfSync) {
    writer.abandon(turn);
    boolean mayRun = turn.job().running() || turn.workload().conditions().admitted();
    if (mayRun && turn.job().stop() != Owner.STOPPED) {
      // Its pods still use the quota.
      return writer.awaitStop(turn.workload(), turn.job());
    }
    return writer.finish(turn, outOfSync.finished());
  }

  /** Until when a change that was refused isn't asked for again; empty if none was. */
  Optional<Instant> refusedUntil(ObjectKey workload) {
    return refusedChanges.until(workload);
  }

  /** The Workload is gone. */
  void forget(ObjectKey workload) {
    refusedChanges.forget(workload);
  }
}
