// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.view.ShownQueues.LocalQueueRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shares of members of Cohorts, and past usage of LocalQueues, over the last two hours. A sample
 * has only what is above zero, and of that the largest, so that the memory is bounded however many
 * queues there are: {@value #MOST_SAMPLES} samples of at most two times {@value #MOST_VALUES}
 * numbers, a few megabytes at most. Thread-safe.
 */
final class UsageHistory {
  /** Between two samples, by the clock of the core. */
  static final Duration INTERVAL = Duration.ofMinutes(1);

  static final int MOST_SAMPLES = 120;
  static final int MOST_VALUES = 200;

  // Guarded by this; the oldest first.
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(Instant time, Map<Member, Double> shares, Map<ObjectKey, Double> usage) {}

  /** A member of a Cohort: a Cohort or a ClusterQueue. */
  private record Member(String kind, String name) implements Comparable<Member> {
    private static final Comparator<Member> ORDER =
        Comparator.comparing(Member::kind).thenComparing(Member::name);

    @Override
    public int compareTo(Member other) {
      return ORDER.compare(this, other);
    }
  }

  /** Adds what is so now. */
  void add(ShownQueues queues) {
    Map<Member, Double> shares = new HashMap<>();
    queues
        .cohorts()
        .forEach(each -> shares.put(new Member("Cohort", each.name()), each.share().weighted()));
    queues
        .clusterQueues()
        .forEach(
            each -> shares.put(new Member("ClusterQueue", each.name()), each.share().weighted()));
    Map<ObjectKey, Double> usage = new HashMap<>();
    for (LocalQueueRow row : queues.localQueues()) {
      if (row.pastUsage() != null) {
        usage.put(new ObjectKey(row.namespace(), row.name()), row.pastUsage().compared());
      }
    }
    add(new Sample(queues.time(), largest(shares), largest(usage)));
  }

  private synchronized void add(Sample sample) {
    samples.addLast(sample);
    if (samples.size() > MOST_SAMPLES) {
      samples.removeFirst();
    }
  }

  private static <K> Map<K, Double> largest(Map<K, Double> values) {
    return values.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .sorted(Map.Entry.<K, Double>comparingByValue().reversed())
        .limit(MOST_VALUES)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * The part that a viewer sees.
   *
   * @param clusterWide whether they see the shares
   * @param namespace whose LocalQueues they see: empty for all, null for none
   */
  ShownHistory shown(boolean clusterWide, @Nullable String namespace) {
    List<Sample> all;
    synchronized (this) {
      all = List.copyOf(samples);
    }
    Predicate<ObjectKey> seen =
        key -> namespace != null && (namespace.isEmpty() || key.namespace().equals(namespace));
    return new ShownHistory(
        all.stream().map(Sample::time).toList(),
        clusterWide
            ? keys(all, Sample::shares, member -> true)
                .map(
                    member ->
                        new ShownHistory.ShareLine(
                            member.kind(), member.name(), values(all, Sample::shares, member)))
                .toList()
            : List.of(),
        keys(all, Sample::usage, seen)
            .map(
                key ->
                    new ShownHistory.UsageLine(
                        key.namespace(), key.name(), values(all, Sample::usage, key)))
            .toList());
  }

  private static <K extends Comparable<? super K>> Stream<K> keys(
      List<Sample> samples, Function<Sample, Map<K, Double>> part, Predicate<K> wanted) {
    return samples.stream()
        .flatMap(sample -> part.apply(sample).keySet().stream())
        .filter(wanted)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream();
  }

  private static <K> List<Double> values(
      List<Sample> samples, Function<Sample, Map<K, Double>> part, K key) {
    List<Double> values = new ArrayList<>(samples.size());
    for (Sample sample : samples) {
      values.add(part.apply(sample).getOrDefault(key, 0.0));
    }
    return values;
  }
}
