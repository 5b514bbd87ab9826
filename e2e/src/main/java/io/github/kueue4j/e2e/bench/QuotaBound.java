// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long a load takes at least, however good the scheduler is. */
final class QuotaBound {
  private QuotaBound() {}

  /**
   * The larger of two bounds: the busiest cohort's work spread over all of its quota, and the last
   * arrival with its runtime.
   */
  static Duration of(Load load) {
    Map<String, Double> work = new HashMap<>();
    Map<String, Double> quota = new HashMap<>();
    Duration last = Duration.ZERO;
    for (BenchQueue queue : BenchQueue.of(load)) {
      quota.merge(queue.cohort(), queue.kind().nominalQuota().amount().doubleValue(), Double::sum);
      for (Load.WorkloadKind kind : queue.kind().workloads()) {
        double seconds = kind.runtime().toNanos() / 1e9;
        work.merge(
            queue.cohort(),
            kind.count() * kind.cpu().amount().doubleValue() * seconds,
            Double::sum);
        Duration end = kind.every().multipliedBy(kind.count()).plus(kind.runtime());
        last = List.of(last, end).stream().max(Duration::compareTo).orElseThrow();
      }
    }
    double busiest =
        work.entrySet().stream()
            .mapToDouble(
                entry -> entry.getValue() / Math.max(1e-9, quota.getOrDefault(entry.getKey(), 0.0)))
            .max()
            .orElse(0);
    Duration byQuota = Duration.ofNanos((long) (busiest * 1e9));
    return byQuota.compareTo(last) > 0 ? byQuota : last;
  }
}
