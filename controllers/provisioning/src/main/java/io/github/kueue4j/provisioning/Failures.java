// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.Uids;
import io.github.kueue4j.sdk.Evaluation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the attempts of Workloads that the autoscaler has failed. The retryCount of an entry also
 * counts those that ended by something else: the request could not be created, or wasn't answered
 * in time. They must not bring a Workload nearer to its rejection. Attempts that this process
 * hasn't seen count as failed.
 */
final class Failures {

  /** The number of Workloads that are remembered; of one that was forgotten each attempt counts. */
  private static final int MOST = 10_000;

  private final Map<Judged, Attempt> last = new Remembered();

  private record Judged(String workloadUid, String check) {
    static Judged of(Evaluation<?> evaluation) {
      return new Judged(Uids.of(evaluation.workload()), evaluation.check());
    }
  }

  /**
   * The attempt that was judged last.
   *
   * @param number 0 for the first
   * @param before how many had failed before it
   */
  private record Attempt(int number, int before, boolean failed) {}

  private static final class Remembered extends LinkedHashMap<Judged, Attempt> {
    private static final long serialVersionUID = 1L;

    Remembered() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Judged, Attempt> eldest) {
      return size() > MOST;
    }
  }

  /** How many attempts have failed before this one, which is judged now. */
  synchronized int before(Evaluation<?> evaluation) {
    int number = evaluation.attempt();
    Attempt known = last.get(Judged.of(evaluation));
    int before;
    if (known == null || number < known.number) {
      before = number;
    } else if (number == known.number) {
      return known.before;
    } else {
      before = known.before + (known.failed ? 1 : 0);
    }
    last.put(Judged.of(evaluation), new Attempt(number, before, false));
    return before;
  }

  /** The autoscaler has failed this attempt. */
  synchronized void failed(Evaluation<?> evaluation) {
    last.computeIfPresent(
        Judged.of(evaluation), (judged, known) -> new Attempt(known.number, known.before, true));
  }
}
