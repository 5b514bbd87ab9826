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
package io.github.kueue4j.e2e.observer;

import java.time.Duration;
import java.util.List;

/**
 * What an {@link Audit} found.
 *
 * @param violations of the promises in {@code docs/lifecycle.md}; empty is good
 * @param tally what was looked at
 */
public record Report(List<Violation> violations, Tally tally) {
  public Report {
    violations = List.copyOf(violations);
  }

  /**
   * A broken promise.
   *
   * @param invariant its number in {@code docs/lifecycle.md}, "What you can rely on"
   * @param trace the Workload's versions up to there, oldest first
   */
  public record Violation(int invariant, String what, List<String> trace) {
    public Violation {
      trace = List.copyOf(trace);
    }

    @Override
    public String toString() {
      return invariant + ": " + what + "\n    " + String.join("\n    ", trace);
    }
  }

  /**
   * How much there was to look at.
   *
   * @param versions of all Workloads
   * @param retries words of checks that said Retry
   * @param late words of checks while nothing was reserved, after an eviction, while deactivated or
   *     finished
   * @param reservations how often quota was reserved
   * @param backoffs reservations after at least one Retry
   * @param corePatches by the core, all of them
   * @param mostPatches the most patches of the core in one round without any late word
   * @param longestWait from the end of a delay to the reservation, by the run's clock
   * @param knownLimit late words with a wrong date while the core was down, which may be cut short
   */
  public record Tally(
      int workloads,
      int finished,
      int versions,
      int retries,
      int late,
      int reservations,
      int backoffs,
      int corePatches,
      int mostPatches,
      Duration longestWait,
      int knownLimit) {}
}
