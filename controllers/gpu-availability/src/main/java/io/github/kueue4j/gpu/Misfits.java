// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.Uids;
import io.github.kueue4j.sdk.Evaluation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Workloads that no node can take, and since when that was seen without interruption. A node that
 * is replaced or starts anew is gone, or has neither labels nor devices, for some minutes, and a
 * rejection is for good. In memory only: after a restart it has to be seen for as long again.
 */
final class Misfits {

  /** For how long it must have been so: a node is replaced meanwhile. */
  static final Duration CERTAIN_AFTER = Duration.ofMinutes(5);

  /** One that was forgotten is seen for the first time again. */
  private static final int MOST = 10_000;

  private final Map<Misfit, Instant> since = new Latest();

  private record Misfit(String workloadUid, String check) {
    static Misfit of(Evaluation<?> evaluation) {
      return new Misfit(Uids.of(evaluation.workload()), evaluation.check());
    }
  }

  private static final class Latest extends LinkedHashMap<Misfit, Instant> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Misfit, Instant> eldest) {
      return size() > MOST;
    }
  }

  /** No node can take it: for how long that must go on to be certain; not positive: it is. */
  synchronized Duration seen(Evaluation<?> evaluation) {
    Instant now = evaluation.now();
    Instant first =
        since.compute(
            Misfit.of(evaluation),
            (misfit, known) -> known == null || isNoSign(known, now) ? now : known);
    return CERTAIN_AFTER.minus(Duration.between(first, now));
  }

  /** What was seen long ago, and not again meanwhile; or before the clock was set back. */
  private static boolean isNoSign(Instant known, Instant now) {
    return known.isAfter(now) || known.plus(CERTAIN_AFTER.multipliedBy(2)).isBefore(now);
  }

  /** There are nodes that can take it, be they busy. */
  synchronized void remove(Evaluation<?> evaluation) {
    since.remove(Misfit.of(evaluation));
  }
}
