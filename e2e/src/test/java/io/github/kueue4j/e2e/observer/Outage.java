// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import java.time.Instant;

/** From a kill of the core to the moment when its successor ran, by the run's clock. */
public record Outage(Instant from, Instant to) {
  /** Whether the core was down, or started anew, at some moment between these two. */
  boolean touches(Instant begin, Instant end) {
    return !from.isAfter(end) && !to.isBefore(begin);
  }
}
