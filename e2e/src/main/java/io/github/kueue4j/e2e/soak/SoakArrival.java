// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.time.Duration;

/**
 * One Workload of a soak, or one Job.
 *
 * @param kind what it is like
 * @param name its name
 * @param queue the LocalQueue, which has the name of its ClusterQueue
 */
record SoakArrival(Kind kind, String name, String queue) {
  /** One CPU each; waits for nothing, and borrows what its queue lacks. */
  static final String PLAIN = "plain";

  /** The same with a check that has one in four wait. */
  static final String CHECKED = "checked";

  /** Full: what comes with a high priority evicts another Workload. */
  static final String CONTENDED = "contended";

  private static final int JOB_EVERY = 5;
  private static final int URGENT_EVERY = 20;

  enum Kind {
    /** Without a Job. */
    ORDINARY(0, Duration.ofSeconds(2)),
    /** A Job, whose Workload the core makes. */
    JOB(0, Duration.ofSeconds(1)),
    /** Evicts. */
    URGENT(100, Duration.ofMillis(500)),
    /** Is evicted; another one comes when it has finished. */
    FILLER(0, Duration.ofSeconds(20));

    final int priority;
    final Duration runtime;

    Kind(int priority, Duration runtime) {
      this.priority = priority;
      this.runtime = runtime;
    }
  }

  /**
   * The arrivals at the steady rate: of twenty, one is urgent, four are Jobs, half have a check.
   */
  static SoakArrival of(int number) {
    if (number % URGENT_EVERY == 0) {
      return new SoakArrival(Kind.URGENT, "urgent-" + number, CONTENDED);
    }
    boolean job = number % JOB_EVERY == 1;
    return new SoakArrival(
        job ? Kind.JOB : Kind.ORDINARY,
        (job ? "job-" : "workload-") + number,
        number % 2 == 0 ? PLAIN : CHECKED);
  }

  /** One of those that keep the contended queue full. */
  static SoakArrival filler(int number) {
    return new SoakArrival(Kind.FILLER, "filler-" + number, CONTENDED);
  }
}
