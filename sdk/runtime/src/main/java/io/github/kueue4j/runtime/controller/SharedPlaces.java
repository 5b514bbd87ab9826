// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A number of places that groups share, such as the workers of a controller among the namespaces
 * whose objects it reconciles. A group that keeps asking for places leaves some to the others.
 *
 * <pre>{@code
 * SharedPlaces<String> places = SharedPlaces.of(32);
 * if (places.tryTake(namespace)) {
 *   try {
 *     work();
 *   } finally {
 *     places.giveBack(namespace);
 *   }
 * }
 * }</pre>
 *
 * <p>A group takes another place only while it has fewer than three times as many as are free (the
 * dynamic threshold of Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory
 * packet switches", 1998). So the first gets three quarters of the places at most, all if there are
 * fewer than four, the next three quarters of the rest; as places are given back, groups that ask
 * for as many as they can get come to have equally many.
 *
 * @param <G> the groups, with equals and hashCode
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SharedPlaces<G> {
  private static final int TIMES_THE_FREE = 3;

  private final Map<G, Integer> taken = new HashMap<>();
  private int free;

  private SharedPlaces(int count) {
    this.free = count;
  }

  /**
   * Places that are all free.
   *
   * @param count at least 1
   * @throws IllegalArgumentException if the count is below 1
   */
  public static <G> SharedPlaces<G> of(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least 1 place, not " + count);
    }
    return new SharedPlaces<>(count);
  }

  /** Whether {@link #tryTake} would succeed now. */
  public synchronized boolean mayTake(G group) {
    return taken.getOrDefault(group, 0) < (long) TIMES_THE_FREE * free;
  }

  /**
   * Takes a place if the group may have one more.
   *
   * @return whether it has; the place must then be given back once
   */
  public synchronized boolean tryTake(G group) {
    if (!mayTake(group)) {
      return false;
    }
    taken.merge(group, 1, Integer::sum);
    free--;
    return true;
  }

  /**
   * Gives back a place.
   *
   * @throws IllegalStateException if the group has none
   */
  public synchronized void giveBack(G group) {
    if (!taken.containsKey(group)) {
      throw new IllegalStateException("the group " + group + " has no place to give back");
    }
    taken.computeIfPresent(group, (same, count) -> count == 1 ? null : count - 1);
    free++;
  }
}
