// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.internal.Attempts;
import io.github.kueue4j.sdk.internal.fence.Phase;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Calls the author's {@link Cleanup} methods for what a check no longer may hold. */
final class Cleanups {
  private final @Nullable Cleanup author;
  private final EvaluationMemory memory;
  private final AuthorCalls calls;

  Cleanups(Check<?> author, EvaluationMemory memory, AuthorCalls calls) {
    this.author = author instanceof Cleanup cleanup ? cleanup : null;
    this.memory = memory;
    this.calls = calls;
  }

  /**
   * The result of the calls.
   *
   * @param failure the first failure, if any; it must not hold up the evaluation of the workload
   * @param kept whether something couldn't be given up yet, because an evaluation still runs
   */
  record CleanupResult(@Nullable Exception failure, boolean kept) {
    static final CleanupResult DONE = new CleanupResult(null, false);

    CleanupResult and(CleanupResult other) {
      if (failure != null && other.failure != null) {
        failure.addSuppressed(other.failure);
      }
      return new CleanupResult(failure == null ? other.failure : failure, kept || other.kept);
    }
  }

  /**
   * Gives up what was held for other workloads of this name, for attempts that are over, and for
   * checks that the workload's queue no longer asks.
   */
  CleanupResult giveUpOrphans(ObjectKey key, Optional<Workload> workload)
      throws InterruptedException {
    CleanupResult all = CleanupResult.DONE;
    for (Holding holding : memory.holdings(key)) {
      if (author == null || stillNeeded(holding, workload)) {
        continue;
      }
      @Nullable Workload same = workload.filter(one -> isOf(holding, one)).orElse(null);
      all =
          all.and(
              giveUp(
                  holding,
                  same == null
                      ? () -> author.cleanUpDeleted(holding)
                      : () -> author.cleanUp(same, holding)));
    }
    return all;
  }

  /**
   * Remembers that the check may hold something, or has it given up when the quota is gone: once
   * even if nothing is known of it, since another process may have taken it.
   */
  CleanupResult giveUpIfOver(OwnEntry<?> entry) throws InterruptedException {
    if (author == null) {
      return CleanupResult.DONE;
    }
    Workload workload = entry.workload();
    String check = entry.check();
    if (entry.phase().holdsReservation()) {
      entry.memory().mayHold();
      memory.holds(Attempts.holding(workload, check));
      return CleanupResult.DONE;
    }
    CleanupResult outcome = CleanupResult.DONE;
    boolean known = false;
    for (Holding holding : memory.holdings(workload.key())) {
      if (holding.check().equals(check) && isOf(holding, workload)) {
        known = true;
        outcome = outcome.and(giveUp(holding, () -> author.cleanUp(workload, holding)));
      }
    }
    if (known || entry.memory().isCleanedUp()) {
      entry.memory().cleanedUp();
      return outcome;
    }
    // Remembered before the call: a wake-up during the call asks for another one.
    entry.memory().cleanedUp();
    Holding any = Attempts.holding(workload, check).ofAnyAttempt();
    outcome = giveUp(any, () -> author.cleanUp(workload, any));
    if (outcome.failure() != null || outcome.kept()) {
      entry.memory().mayHold();
    }
    return outcome;
  }

  private interface Method {
    void call() throws Exception;
  }

  private CleanupResult giveUp(Holding holding, Method method) throws InterruptedException {
    Callable<Holding> call =
        () -> {
          method.call();
          return holding;
        };
    Optional<AuthorCalls.Turn> turn =
        calls.turn(AuthorCalls.Subject.workload(holding.check(), holding.workload()), () -> {});
    if (turn.isEmpty()) {
      return new CleanupResult(null, true);
    }
    try {
      memory.gaveUp(turn.get().call(call));
      return CleanupResult.DONE;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return new CleanupResult(e, false);
    }
  }

  /** Also true where the quota is gone: {@link #giveUpIfOver} handles that, once. */
  private static boolean stillNeeded(Holding holding, Optional<Workload> found) {
    if (found.isEmpty() || !isOf(holding, found.get())) {
      return false;
    }
    Workload workload = found.get();
    if (workload.status().admissionCheck(holding.check()).isEmpty()) {
      return false;
    }
    return holding.isOfAnyAttempt()
        || !Phase.of(workload).holdsReservation()
        || holding.attempt().equals(Attempts.id(workload, holding.check()));
  }

  private static boolean isOf(Holding holding, Workload workload) {
    return holding.uid().equals(workload.metadata().getUid());
  }
}
