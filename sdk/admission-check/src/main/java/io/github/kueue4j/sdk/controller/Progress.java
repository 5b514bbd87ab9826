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

import io.github.kueue4j.sdk.fence.Token;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the controller remembers about the last evaluation of one workload by one check. It is only
 * a memory of when to ask again: losing it in a restart means asking once more, nothing else.
 *
 * @param basis what was judged; for anything else nothing is remembered
 * @param decided whether a verdict was written that the informer is yet to show
 * @param next when to evaluate again; absent: when something changes
 * @param failures evaluations that failed in a row
 * @param failingSince when the first of them failed
 */
record Progress(
    Basis basis,
    boolean decided,
    @Nullable Instant next,
    int failures,
    @Nullable Instant failingSince) {

  /**
   * What makes an evaluation's answer one for this workload, as it is now.
   *
   * @param token the reservation and the entry
   * @param generation of the workload's spec
   * @param parameters the resourceVersion of the check's parameters; empty without any
   */
  record Basis(Token token, long generation, String parameters) {}

  /** An answer was found; ask again then, or never while nothing changes. */
  static Progress answered(Basis basis, @Nullable Instant next) {
    return new Progress(basis, false, next, 0, null);
  }

  /** A verdict that ends this basis was written; ask again then if it still stands. */
  static Progress decided(Basis basis, Instant next) {
    return new Progress(basis, true, next, 0, null);
  }

  /** Another failure in a row; ask again then. */
  static Progress failed(Basis basis, @Nullable Progress before, Instant now, Instant next) {
    if (before == null || before.failingSince == null || !before.basis.equals(basis)) {
      return new Progress(basis, false, next, 1, now);
    }
    return new Progress(basis, false, next, before.failures + 1, before.failingSince);
  }

  /** The same memory with another time to ask again. */
  Progress withNext(Instant other) {
    return new Progress(basis, decided, other, failures, failingSince);
  }
}
