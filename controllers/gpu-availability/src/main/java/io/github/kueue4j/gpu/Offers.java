// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Wakes those that wait longest when there is room, as far as there is. */
final class Offers {

  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Capacity capacity;
  private final Consumer<ObjectKey> trigger;

  /**
   * Offers of what is free.
   *
   * @param trigger evaluates a workload
   */
  Offers(Capacity capacity, Consumer<ObjectKey> trigger) {
    this.capacity = capacity;
    this.trigger = trigger;
  }

  /**
   * Offers what is free now.
   *
   * @return after which time to do so again if nothing changes; empty: only then
   */
  Optional<Duration> offer(Instant now) {
    capacity.offer(now).forEach(trigger);
    if (capacity.hasMoreToOffer()) {
      return Optional.of(AT_ONCE);
    }
    return capacity
        .nextLapse()
        .map(lapse -> Duration.between(now, lapse))
        .map(wait -> wait.isPositive() ? wait : SOON);
  }
}
