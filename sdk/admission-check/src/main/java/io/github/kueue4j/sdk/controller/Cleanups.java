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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.Attempts;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.fence.Phase;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Has the author give up what a workload no longer has the quota for. */
final class Cleanups {
  private final @Nullable Cleanup author;
  private final Memory memory;
  private final AuthorCalls calls;

  Cleanups(AdmissionCheck<?> author, Memory memory, AuthorCalls calls) {
    this.author = author instanceof Cleanup cleanup ? cleanup : null;
    this.memory = memory;
    this.calls = calls;
  }

  /**
   * What came of it.
   *
   * @param failure the first failure, if any; it must not hold up the evaluation of the workload
   * @param kept whether something couldn't be given up yet, because an evaluation still runs
   */
  record Outcome(@Nullable Exception failure, boolean kept) {
    static final Outcome DONE = new Outcome(null, false);

    Outcome and(Outcome other) {
      if (failure != null && other.failure != null) {
        failure.addSuppressed(other.failure);
      }
      return new Outcome(failure == null ? other.failure : failure, kept || other.kept);
    }
  }

  /**
   * Gives up what was held for other workloads of this name, for attempts that are over, and for
   * checks that the workload's queue no longer asks.
   */
  Outcome giveUpOrphans(ObjectKey key, Optional<Workload> workload) throws InterruptedException {
    Outcome all = Outcome.DONE;
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
  Outcome giveUpIfOver(Workload workload, String check, Phase phase) throws InterruptedException {
    ObjectKey key = workload.key();
    if (author == null) {
      return Outcome.DONE;
    }
    if (phase.holdsReservation()) {
      memory.mayHold(key, check);
      memory.holds(Attempts.holding(workload, check));
      return Outcome.DONE;
    }
    Outcome outcome = Outcome.DONE;
    boolean known = false;
    for (Holding holding : memory.holdings(key)) {
      if (holding.check().equals(check) && isOf(holding, workload)) {
        known = true;
        outcome = outcome.and(giveUp(holding, () -> author.cleanUp(workload, holding)));
      }
    }
    if (known || memory.isCleanedUp(key, check)) {
      memory.cleanedUp(key, check);
      return outcome;
    }
    // Remembered first: a wake-up during the call asks for another one.
    memory.cleanedUp(key, check);
    Holding any = Attempts.holding(workload, check).ofAnyAttempt();
    outcome = giveUp(any, () -> author.cleanUp(workload, any));
    if (outcome.failure() != null || outcome.kept()) {
      memory.mayHold(key, check);
    }
    return outcome;
  }

  private interface Method {
    void call() throws Exception;
  }

  private Outcome giveUp(Holding holding, Method method) throws InterruptedException {
    Callable<Holding> call =
        () -> {
          method.call();
          return holding;
        };
    Optional<AuthorCalls.Turn> turn =
        calls.turn(new AuthorCalls.Subject(holding.check(), holding.workload()), () -> {});
    if (turn.isEmpty()) {
      return new Outcome(null, true);
    }
    try {
      memory.gaveUp(turn.get().call(call));
      return Outcome.DONE;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return new Outcome(e, false);
    }
  }

  /** Also where the quota is gone: {@link #giveUpIfOver} sees to that, once. */
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
