// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.DelayedBy;
import io.github.kueue4j.observe.explain.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Queues, and the Workloads that are delayed, at one time.
 *
 * @param listed whether the user may list ClusterQueues; otherwise none is here
 * @param clusterQueues all of them
 * @param localQueues of the namespaces that are shown
 * @param workloads of the namespaces that are shown
 * @param now the current time, for countdowns
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record TopPage(
    boolean listed,
    List<ClusterQueue> clusterQueues,
    List<LocalQueue> localQueues,
    List<Workload> workloads,
    Instant now) {
  private static final List<String> BACKOFF_HEADER =
      List.of("WORKLOAD", "QUEUE", "DELAYED-BY", "UNTIL", "IN", "SAYS");

  /** A Workload in backoff, and the latest of its delays, which decides. */
  private record Delayed(Workload workload, Optional<DelayedBy> last) {
    static Delayed of(Workload workload) {
      return new Delayed(
          workload, DelayedBy.of(workload).stream().max(Comparator.comparing(DelayedBy::until)));
    }

    /** The end of the delay; those without a known end come last. */
    Instant until() {
      return last.map(DelayedBy::until).orElse(Instant.MAX);
    }
  }

  public TopPage {
    clusterQueues = List.copyOf(clusterQueues);
    localQueues = List.copyOf(localQueues);
    workloads = List.copyOf(workloads);
  }

  /** The tables: ClusterQueues, LocalQueues, Workloads in backoff; then what isn't known. */
  public List<List<String>> sections() {
    Map<ListedPhase, List<Workload>> phases = phases();
    return Stream.of(
            clusterQueueTable(),
            localQueueTable(),
            Stream.concat(
                    Stream.of(counts(phases)),
                    backoff(phases.getOrDefault(ListedPhase.BACKOFF, List.of())).stream())
                .toList(),
            unknown())
        .filter(section -> !section.isEmpty())
        .toList();
  }

  private List<String> clusterQueueTable() {
    if (!listed) {
      return List.of(
          "ClusterQueues can't be listed: that needs list of clusterqueues.kueue.x-k8s.io.");
    }
    return clusterQueues.isEmpty()
        ? List.of("There is no ClusterQueue.")
        : ClusterQueueUseRows.table(clusterQueues);
  }

  private Map<ListedPhase, List<Workload>> phases() {
    QueuesByName queues = QueuesByName.among(clusterQueues, localQueues);
    return workloads.stream()
        .collect(
            Collectors.groupingBy(
                workload -> ListedPhase.of(workload, queues.of(workload).orElse(null)),
                () -> new EnumMap<>(ListedPhase.class),
                Collectors.toList()));
  }

  private List<String> localQueueTable() {
    LocalQueueRows rows = new LocalQueueRows(true, true);
    return localQueues.isEmpty()
        ? List.of()
        : new Table(rows.header())
            .lines(
                localQueues.stream()
                    .sorted(Comparator.comparing(ObjectKey::of))
                    .map(rows::row)
                    .toList());
  }

  /** {@code Workloads: 2 Queued, 1 Admitted; none in Backoff}. */
  private static String counts(Map<ListedPhase, List<Workload>> phases) {
    String counts =
        phases.entrySet().stream()
            .map(each -> each.getValue().size() + " " + each.getKey().word())
            .collect(Collectors.joining(", "));
    return "Workloads: "
        + (counts.isEmpty() ? "none" : counts)
        + (phases.containsKey(ListedPhase.BACKOFF) ? "" : "; none in Backoff");
  }

  private List<String> backoff(List<Workload> delayed) {
    return delayed.isEmpty()
        ? List.of()
        : new Table(BACKOFF_HEADER)
            .lines(
                delayed.stream()
                    .map(Delayed::of)
                    .sorted(
                        Comparator.comparing(Delayed::until)
                            .thenComparing(each -> each.workload().key()))
                    .map(this::row)
                    .toList());
  }

  private List<String> row(Delayed delayed) {
    Optional<DelayedBy> last = delayed.last();
    return Cells.of(
            delayed.workload().key(),
            delayed.workload().spec().queueName(),
            last.map(DelayedBy::by).orElse(""),
            last.map(DelayedBy::until).orElse(null),
            last.map(DelayedBy::until).map(this::countdown).orElse(""))
        .text(last.map(DelayedBy::message).orElse("its object tells no end"))
        .list();
  }

  /** {@code 4m10s}; {@code over} once the core may queue it again. */
  private String countdown(Instant until) {
    return until.isAfter(now) ? DurationText.words(Duration.between(now, until)) : "over";
  }

  private List<String> unknown() {
    String names =
        clusterQueues.stream()
            .filter(queue -> !QueueState.written(queue))
            .map(queue -> "cq/" + queue.key().name())
            .sorted()
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? List.of()
        : List.of(
            "No core has written the status of %s: %s stands for what is not known."
                .formatted(names, ClusterQueueUseRows.UNKNOWN));
  }
}
