// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
