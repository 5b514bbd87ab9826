// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.queue.QueueOrder;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Workloads that may come: as many in a time as have come, each like one of those.
 *
 * @param known those that have come
 * @param mean the mean time between two; zero if none come
 */
record Arrivals(List<Workload> known, Duration mean) {
  /** Fewer tell nothing of how many come. */
  private static final int FEWEST = 5;

  /** So that what is overloaded comes to an end. */
  static final int MOST = 500;

  /** A burst tells nothing of what comes after it. */
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  Arrivals {
    known = List.copyOf(known);
  }

  static Arrivals none() {
    return new Arrivals(List.of(), Duration.ZERO);
  }

  /**
   * The arrivals like those that were created since the first end that can still be seen: before,
   * others may have come that are deleted.
   */
  static Arrivals like(List<Workload> known, Instant now) {
    Optional<Instant> since =
        known.stream()
            .flatMap(
                workload -> workload.conditions().trueSince(WorkloadConditions.FINISHED).stream())
            .min(Comparator.naturalOrder());
    List<Workload> recent =
        since
            .map(
                first ->
                    known.stream()
                        .filter(each -> QueueOrder.createdAt(each).isAfter(first))
                        .toList())
            .orElse(List.of());
    if (recent.size() < FEWEST) {
      return none();
    }
    Duration window = Duration.between(since.get(), now);
    return new Arrivals(
        recent, (window.compareTo(SHORTEST) < 0 ? SHORTEST : window).dividedBy(recent.size()));
  }

  /** The same with another mean that might as well be the true one. */
  Arrivals varied(RandomGenerator random) {
    if (mean.isZero()) {
      return this;
    }
    double factor = 1 + random.nextGaussian() / Math.sqrt(Math.max(1, known.size()));
    return new Arrivals(
        known, Duration.ofMillis(Math.max(1, (long) (mean.toMillis() * Math.max(0.1, factor)))));
  }

  /** When the next comes after {@code now}; empty if none does. */
  Optional<Instant> next(Instant now, RandomGenerator random) {
    return mean.isPositive()
        ? Optional.of(now.plusMillis((long) (-Math.log(1 - random.nextDouble()) * mean.toMillis())))
        : Optional.empty();
  }

  /** A Workload that comes now. */
  Workload draw(Instant now, int before, RandomGenerator random) {
    Workload like = known.get(random.nextInt(known.size()));
    String name = "arrival " + before;
    return like.withSpec(like.spec().withActive(true))
        .withStatus(WorkloadStatus.empty())
        .withMetadata(
            new V1ObjectMeta()
                .namespace(like.key().namespace())
                .name(name)
                .uid(name)
                .creationTimestamp(now.atOffset(ZoneOffset.UTC)));
  }
}
