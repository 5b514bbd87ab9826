// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import java.time.Duration;
import java.util.List;

/**
 * How long the Workloads of a class waited.
 *
 * @param sorted shortest first
 */
record Waits(List<Duration> sorted) {
  Waits {
    sorted = sorted.stream().sorted().toList();
  }

  boolean isEmpty() {
    return sorted.isEmpty();
  }

  Duration mean() {
    return sorted.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(sorted.size());
  }

  /** The shortest wait that this share of all didn't exceed. */
  Duration quantile(double share) {
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }
}
