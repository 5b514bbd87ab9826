// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import java.util.Locale;

/**
 * What a cluster of one size has cost.
 *
 * @param variant by which policies quota was shared
 * @param size of the cluster
 * @param queues processor seconds until the State knew all queues
 * @param workloads processor seconds until it knew all Workloads
 * @param first processor seconds until no head was worth a try
 * @param heap bytes that the State took then, beside the informers' copies
 * @param slow 100 Workloads finish in a second
 * @param fast 1,000 do
 * @param most always 1,000 at once
 */
record ScaleResult(
    ScaleVariant variant,
    ScaleSize size,
    double queues,
    double workloads,
    double first,
    long heap,
    ScaleLoad.Outcome slow,
    ScaleLoad.Outcome fast,
    ScaleLoad.Outcome most) {
  static final String HEAD =
      """
      | Policies | Waiting | Queues | Start: queues, Workloads, first turn | Heap | \
      Unused at 100/s: p50, p99 | Unused at 1,000/s: p50, p99 | Most |
      |---|---|---|---|---|---|---|---|""";

  double start() {
    return queues + workloads + first;
  }

  /** A row of a table in Markdown. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %.2f + %.2f + %.2f s | %.1f MB | %s | %s | %,.0f/s |",
        variant.label(),
        size.waiting(),
        size.queues(),
        queues,
        workloads,
        first,
        heap / 1e6,
        unused(slow),
        unused(fast),
        most.perSecond());
  }

  private static String unused(ScaleLoad.Outcome load) {
    return load.median().toMillis() + ", " + load.p99().toMillis() + " ms";
  }
}
