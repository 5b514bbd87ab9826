// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long Workloads hold quota, by those that have finished and those that hold some. Of the
 * latter it is known that they take longer than until now: without them, the history of a young
 * queue would only know the short ones.
 */
final class QuotaHistory {
  /** Fewer finished Workloads tell nothing. */
  static final int FEWEST = 5;

  /**
   * How long a Workload has held quota.
   *
   * @param ended false if it still holds it
   */
  private record Stay(Duration held, boolean ended) {}

  /**
   * Stays in the order of their length.
   *
   * @param mean of those that have ended
   */
  private record SortedStays(List<Stay> sorted, int ended, Duration mean) {
    static SortedStays of(List<Stay> stays) {
      List<Stay> ended = stays.stream().filter(Stay::ended).toList();
      return new SortedStays(
          inOrder(stays.stream()),
          ended.size(),
          ended.stream()
              .map(Stay::held)
              .reduce(Duration.ZERO, Duration::plus)
              .dividedBy(Math.max(1, ended.size())));
    }

    private static List<Stay> inOrder(Stream<Stay> stays) {
      return stays.sorted(Comparator.comparing(Stay::held)).toList();
    }

    /** As many that have ended, and as many that go on, drawn from these. */
    SortedStays resampled(RandomGenerator random) {
      Map<Boolean, List<Stay>> parts =
          sorted.stream().collect(Collectors.partitioningBy(Stay::ended));
      return new SortedStays(
          inOrder(
              parts.values().stream()
                  .flatMap(
                      part -> part.stream().map(any -> part.get(random.nextInt(part.size()))))),
          ended,
          mean);
    }

    /**
     * The length of one that is longer than this.
     *
     * @param hit whether it was hit at some time while it held quota: one that is twice as long is
     *     hit twice as often
     */
    Duration longerThan(Duration held, boolean hit, RandomGenerator random) {
      Duration least = held;
      while (true) {
        int from = firstLongerThan(least);
        if (from == sorted.size()) {
          return least.plus(mean);
        }
        Stay drawn = hit ? byLength(from, random) : any(from, random);
        if (drawn.ended()) {
          return drawn.held();
        }
        least = drawn.held();
      }
    }

    private Stay any(int from, RandomGenerator random) {
      return sorted.get(from + random.nextInt(sorted.size() - from));
    }

    private Stay byLength(int from, RandomGenerator random) {
      double all = 0;
      for (Stay stay : sorted.subList(from, sorted.size())) {
        all += stay.held().toMillis();
      }
      double before = all * random.nextDouble();
      int index = from;
      while (index < sorted.size() - 1) {
        before -= sorted.get(index).held().toMillis();
        if (before < 0) {
          break;
        }
        index++;
      }
      return sorted.get(index);
    }

    private int firstLongerThan(Duration held) {
      int low = 0;
      int high = sorted.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted.get(middle).held().compareTo(held) > 0) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }
  }

  private final Map<Object, SortedStays> byQueue;
  private final Map<String, CheckAnswers> answers;
  private final int finished;

  private QuotaHistory(
      Map<Object, SortedStays> byQueue, Map<String, CheckAnswers> answers, int finished) {
    this.byQueue = byQueue;
    this.answers = answers;
    this.finished = finished;
  }

  static QuotaHistory of(Collection<Workload> workloads, Instant now) {
    Map<Object, List<Stay>> stays = new HashMap<>();
    int finished = 0;
    for (Workload workload : workloads) {
      WorkloadConditions conditions = workload.conditions();
      Optional<Instant> since = conditions.trueSince(WorkloadConditions.QUOTA_RESERVED);
      Admission admission = workload.status().admission();
      if (since.isPresent() && admission != null && !conditions.evicted()) {
        Optional<Instant> until = conditions.trueSince(WorkloadConditions.FINISHED);
        Stay stay = new Stay(Duration.between(since.get(), until.orElse(now)), until.isPresent());
        finished += stay.ended() ? 1 : 0;
        stays.computeIfAbsent(localQueue(workload), any -> new ArrayList<>()).add(stay);
        stays.computeIfAbsent(admission.clusterQueue(), any -> new ArrayList<>()).add(stay);
      }
    }
    Map<Object, SortedStays> byQueue = new HashMap<>();
    stays.forEach((queue, some) -> byQueue.put(queue, SortedStays.of(some)));
    return new QuotaHistory(byQueue, CheckAnswers.of(workloads), finished);
  }

  /**
   * Another history that might as well have been. What a few Workloads tell is uncertain itself;
   * over many of these it counts as such.
   */
  QuotaHistory resampled(RandomGenerator random) {
    Map<Object, SortedStays> other = new HashMap<>();
    byQueue.forEach((queue, stays) -> other.put(queue, stays.resampled(random)));
    Map<String, CheckAnswers> otherAnswers = new HashMap<>();
    answers.forEach((queue, some) -> otherAnswers.put(queue, some.resampled(random)));
    return new QuotaHistory(other, otherAnswers, finished);
  }

  /** How many finished Workloads it knows. */
  int finished() {
    return finished;
  }

  private static ObjectKey localQueue(Workload workload) {
    return new ObjectKey(workload.key().namespace(), String.valueOf(workload.spec().queueName()));
  }

  /**
   * The time from the reservation of a Workload to the Retry of a check, as others of its
   * ClusterQueue had some; empty if it is let through.
   *
   * @param waited for how long it has waited for the answer
   */
  Optional<Duration> retry(
      Workload workload, String clusterQueue, Duration waited, RandomGenerator random) {
    return Optional.ofNullable(answers.get(clusterQueue))
        .filter(any -> !workload.conditions().admitted())
        .flatMap(some -> some.retry(waited, random));
  }

  /**
   * How long a Workload might hold its quota in all, as others of its LocalQueue, or of its
   * ClusterQueue, have done.
   *
   * @param held for how long it has held it
   * @return empty if nothing tells
   */
  Optional<Duration> drawn(
      Workload workload, String clusterQueue, Duration held, RandomGenerator random) {
    Optional<Duration> bound = longest(workload, held);
    return known(localQueue(workload))
        .or(() -> known(clusterQueue))
        .map(stays -> stays.longerThan(held, preempted(workload), random))
        .map(drawn -> bound.filter(limit -> limit.compareTo(drawn) < 0).orElse(drawn))
        .or(() -> bound);
  }

  private static boolean preempted(Workload workload) {
    return workload.conditions().find(WorkloadConditions.PREEMPTED).isPresent();
  }

  private Optional<SortedStays> known(Object queue) {
    return Optional.ofNullable(byQueue.get(queue)).filter(stays -> stays.ended() >= FEWEST);
  }

  /** How long its maximum execution time lets a Workload hold its quota; empty without one. */
  static Optional<Duration> longest(Workload workload, Duration held) {
    Integer most = workload.spec().maximumExecutionTimeSeconds();
    if (most == null) {
      return Optional.empty();
    }
    Integer past = workload.status().accumulatedPastExecutionTimeSeconds();
    Duration left = Duration.ofSeconds(Math.max(0, most - (past == null ? 0 : past)));
    WorkloadConditions conditions = workload.conditions();
    Optional<Instant> reserved = conditions.trueSince(WorkloadConditions.QUOTA_RESERVED);
    Optional<Instant> admitted = conditions.trueSince(WorkloadConditions.ADMITTED);
    // The limit counts from the admission; until then, it is all to come.
    Duration before =
        reserved.isPresent() && admitted.isPresent()
            ? Duration.between(reserved.get(), admitted.get())
            : held;
    return Optional.of(before.plus(left));
  }
}
