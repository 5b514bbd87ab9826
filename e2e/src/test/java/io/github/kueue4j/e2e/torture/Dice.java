// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Random times of each object, the same for the same seed. Thread-safe. */
final class Dice {
  private final long seed;
  private final Map<ObjectKey, Random> random = new ConcurrentHashMap<>();

  Dice(long seed) {
    this.seed = seed;
  }

  /** The object's next duration, less than this. */
  Duration upTo(ObjectKey key, Duration most) {
    Random own = random.computeIfAbsent(key, k -> new Random(seed ^ k.hashCode()));
    synchronized (own) {
      return Duration.ofMillis(own.nextInt((int) most.toMillis()));
    }
  }
}
