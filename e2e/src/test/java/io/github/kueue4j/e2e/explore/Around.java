// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/**
 * The state of the Workload's owner, queues and assignment.
 *
 * @param running whether its owner runs
 * @param queue the state of its queues
 * @param reduced whether the queue's last check was removed
 * @param invalid whether its assignment could no longer be made
 * @param victims whether victims hold quota that it was given
 * @param ready whether all pods of the owner that runs are ready
 * @param observing whether the queue's last check is in the mode Observe
 * @param withQuota whether no check is asked before quota any more, as they were named
 */
record Around(
    boolean running,
    Queue queue,
    boolean reduced,
    boolean invalid,
    boolean victims,
    boolean ready,
    boolean observing,
    boolean withQuota) {

  static final Around QUIET =
      new Around(false, Queue.RUNS, false, false, false, false, false, false);

  /** The state of the two queues. */
  enum Queue {
    /** Both run. */
    RUNS,
    /** The ClusterQueue admits nothing new. */
    HOLD,
    /** The ClusterQueue evicts as well. */
    DRAIN,
    /** The LocalQueue admits nothing new. */
    LOCAL_HOLD,
    /** The ClusterQueue is gone. */
    GONE;
  }

  Around withRunning(boolean changed) {
    return new Around(
        changed, queue, reduced, invalid, victims, changed && ready, observing, withQuota);
  }

  Around withQueue(Queue changed) {
    return new Around(running, changed, reduced, invalid, victims, ready, observing, withQuota);
  }

  Around withReduced(boolean changed) {
    return new Around(running, queue, changed, invalid, victims, ready, observing, withQuota);
  }

  Around withInvalid(boolean changed) {
    return new Around(running, queue, reduced, changed, victims, ready, observing, withQuota);
  }

  Around withVictims(boolean changed) {
    return new Around(running, queue, reduced, invalid, changed, ready, observing, withQuota);
  }

  Around withReady(boolean changed) {
    return new Around(running, queue, reduced, invalid, victims, changed, observing, withQuota);
  }

  Around withObserving(boolean changed) {
    return new Around(running, queue, reduced, invalid, victims, ready, changed, withQuota);
  }

  Around withQuota(boolean changed) {
    return new Around(running, queue, reduced, invalid, victims, ready, observing, changed);
  }
}
