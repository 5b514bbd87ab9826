// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Holding;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds, once after the start, what a check still holds for attempts that ended and workloads that
 * were deleted while no controller ran. Only finds it: the worker that reconciles the workload
 * gives it up.
 */
final class OrphanScan {
  private static final AuthorCalls.Subject OWNED = AuthorCalls.Subject.check("");

  private final Check<?> author;
  private final EvaluationMemory memory;
  private final AuthorCalls calls;
  private final Consumer<ObjectKey> queue;
  private boolean done; // Guarded by this object's monitor.

  OrphanScan(
      Check<?> author, EvaluationMemory memory, AuthorCalls calls, Consumer<ObjectKey> queue) {
    this.author = author;
    this.memory = memory;
    this.calls = calls;
    this.queue = queue;
  }

  /** Asks the author; does nothing once that has succeeded. */
  synchronized void once() throws Exception {
    if (done || !(author instanceof Cleanup cleanup)) {
      return;
    }
    Optional<AuthorCalls.Turn> turn = calls.turn(OWNED, () -> {});
    if (turn.isEmpty()) {
      throw new IllegalStateException(
          "an earlier call of owned() has not returned and ignores its interruption; correct the check");
    }
    Collection<Holding> owned = turn.get().call(cleanup::owned);
    for (Holding holding : owned) {
      memory.holds(holding);
      queue.accept(holding.workload());
    }
    done = true;
  }
}
