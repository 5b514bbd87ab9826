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
import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Holding;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds, once after the start, what a check still holds for workloads that went while no controller
 * was there to see it. Only finds it: the worker that has the workload gives it up.
 */
final class Sweep {
  private static final AuthorCalls.Subject OWNED = AuthorCalls.Subject.check("");

  private final AdmissionCheck<?> author;
  private final Memory memory;
  private final AuthorCalls calls;
  private final Consumer<ObjectKey> queue;
  private boolean done; // Guarded by this object's monitor.

  Sweep(AdmissionCheck<?> author, Memory memory, AuthorCalls calls, Consumer<ObjectKey> queue) {
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
          "owned() was asked, has not come back since and ignores its interruption; mend the check");
    }
    Collection<Holding> owned = turn.get().call(cleanup::owned);
    for (Holding holding : owned) {
      memory.holds(holding);
      queue.accept(holding.workload());
    }
    done = true;
  }
}
