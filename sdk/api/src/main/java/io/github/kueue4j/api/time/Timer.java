// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Instant;

/**
 * A task with its instant; tasks of equal instants run in the order in which they were scheduled.
 */
record Timer(Instant when, long sequence, Runnable task) implements Comparable<Timer> {

  @Override
  public int compareTo(Timer other) {
    int byTime = when.compareTo(other.when);
    return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
  }
}
