// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.WaitingOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** One queue on a screen: its state, quota, checks, those who wait, and conditions. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class QueuePage {
  /** What the order of {@link WaitingOrder} leaves out. */
  static final String LIMITS =
      "In the order that the objects tell: priority, then the time since when each queues. What the"
          + " core keeps in memory is not in them: preemptors go first, and refused Workloads of a"
          + " BestEffortFIFO queue are passed by others.";

  private static final String PAST_USAGE =
      "Past usage of the LocalQueues decides first (UsageBasedAdmissionFairSharing).";
  private static final String PAST_USAGE_UNKNOWN =
      "The ClusterQueue, which can't be read, says whether past usage of the LocalQueues decides"
          + " first.";
  private static final int MOST_WAITING = 10;

  private final List<String> lines = new ArrayList<>();

  private QueuePage(String title) {
    lines.add(title);
  }

  /**
   * The page of a ClusterQueue.
   *
   * @param checks the AdmissionChecks that exist, by name
   */
  public static List<String> of(
      ClusterQueue queue, Map<String, AdmissionCheck> checks, WaitingOrder order, Instant now) {
    QueuePage page = new QueuePage("cq/" + queue.key().name());
    page.facts(
        List.of(
            List.of("State", state(QueueState.of(queue))),
            List.of("Cohort", Objects.requireNonNullElse(queue.spec().cohortName(), Cells.NONE)),
            List.of("Strategy", queue.spec().queueingStrategy().value()),
            List.of(
                "Workloads",
                counts(
                    queue.status().pendingWorkloads(),
                    queue.status().reservingWorkloads(),
                    queue.status().admittedWorkloads()))));
    page.table(
        List.of("FLAVOR", "RESOURCE", "USED", "NOMINAL", "BORROWED", "MAY-BORROW", "MAY-LEND"),
        QuotaText.of(queue).stream().map(QueuePage::quota).toList());
    page.table(
        List.of("CHECK", "STATE", "WHY"),
        queue.spec().admissionChecks().stream()
            .map(rule -> check(rule.name(), Optional.ofNullable(checks.get(rule.name()))))
            .toList());
    page.waiting(order, order.waiting(), now);
    page.lines.addAll(conditionTable(queue.status().conditions()));
    return page.lines;
  }

  /**
   * The page of a LocalQueue.
   *
   * @param order of its ClusterQueue, or of its own Workloads alone; empty if there is no
   *     ClusterQueue
   */
  public static List<String> of(LocalQueue queue, Optional<WaitingOrder> order, Instant now) {
    QueuePage page = new QueuePage("lq/" + queue.key().name() + " in " + queue.key().namespace());
    page.facts(
        List.of(
            List.of("State", state(QueueState.of(queue))),
            List.of(
                "ClusterQueue",
                Objects.requireNonNullElse(queue.spec().clusterQueue(), Cells.NONE)),
            List.of(
                "Workloads",
                counts(
                    queue.status().pendingWorkloads(),
                    queue.status().reservingWorkloads(),
                    queue.status().admittedWorkloads())),
            Cells.of("Quota", QuotaText.cell(queue)).list()));
    order.ifPresent(
        all ->
            page.waiting(
                all,
                all.waiting().stream()
                    .filter(
                        workload ->
                            workload.key().namespace().equals(queue.key().namespace())
                                && queue.key().name().equals(workload.spec().queueName()))
                    .toList(),
                now));
    page.lines.addAll(conditionTable(queue.status().conditions()));
    return page.lines;
  }

  private void facts(List<List<String>> facts) {
    Table table = new Table(List.of("", ""));
    table.more(facts).forEach(line -> lines.add("  " + line));
  }

  private void table(List<String> header, List<List<String>> rows) {
    lines.addAll(separated(header, rows));
  }

  private static List<String> separated(List<String> header, List<List<String>> rows) {
    return rows.isEmpty()
        ? List.of()
        : Stream.concat(Stream.of(""), new Table(header).lines(rows).stream()).toList();
  }

  private void waiting(WaitingOrder order, List<Workload> mine, Instant now) {
    lines.add("");
    if (mine.isEmpty()) {
      lines.add("No Workload waits for quota.");
      return;
    }
    lines.add(
        mine.size() > MOST_WAITING
            ? "The first " + MOST_WAITING + " of " + mine.size() + " Workloads that wait for quota:"
            : mine.size() + " wait for quota:");
    lines.addAll(places(mine.subList(0, Math.min(mine.size(), MOST_WAITING)), now));
    lines.addAll(limits(order));
  }

  /** An empty line and the conditions; nothing if there are none. */
  static List<String> conditionTable(List<Condition> conditions) {
    return separated(
        List.of("CONDITION", "STATUS", "REASON", "MESSAGE"),
        conditions.stream()
            .map(
                condition ->
                    Cells.of(condition.type(), condition.status(), condition.reason())
                        .text(condition.message())
                        .list())
            .toList());
  }

  /** A table of Workloads with their places. */
  static List<String> places(List<Workload> workloads, Instant now) {
    return new Table(List.of("PLACE", "NAMESPACE", "NAME", "QUEUE", "PRIORITY", "AGE"))
        .lines(
            IntStream.range(0, workloads.size())
                .mapToObj(
                    index -> {
                      Workload workload = workloads.get(index);
                      return Cells.of(
                              index + 1,
                              workload.key().namespace(),
                              workload.key().name(),
                              workload.spec().queueName(),
                              Objects.requireNonNullElse(workload.spec().priority(), 0),
                              ListedPhase.created(workload)
                                  .map(created -> Cells.age(created, now))
                                  .orElse(""))
                          .list();
                    })
                .toList());
  }

  static List<String> limits(WaitingOrder order) {
    if (order.queue() == null) {
      return List.of(LIMITS, PAST_USAGE_UNKNOWN);
    }
    if (order.byPastUsage()) {
      return List.of(PAST_USAGE, LIMITS);
    }
    return Stream.concat(order.ineffectiveScope().map(why -> why + ".").stream(), Stream.of(LIMITS))
        .toList();
  }

  private static List<String> quota(QuotaText text) {
    return Cells.of(
            text.flavor(),
            text.quota().name(),
            text.used(),
            text.quota().nominalQuota(),
            text.borrowed(),
            text.quota().borrowingLimit(),
            text.quota().lendingLimit())
        .list();
  }

  private static List<String> check(String name, Optional<AdmissionCheck> check) {
    Optional<Condition> active =
        check.flatMap(found -> Conditions.find(found.status().conditions(), "Active"));
    String state =
        check.isEmpty()
            ? "Missing"
            : active.map(each -> each.isTrue() ? "Active" : "Inactive").orElse("Unknown")
                + (CheckMode.observes(check.get()) ? ", only observes" : "");
    return Cells.of(name, state)
        .text(active.filter(each -> !each.isTrue()).map(Condition::message).orElse(""))
        .list();
  }

  private static String state(QueueState state) {
    return state.why().isEmpty() ? state.word() : state.word() + ": " + state.why();
  }

  private static String counts(
      @Nullable Integer pending, @Nullable Integer reserving, @Nullable Integer admitted) {
    return Objects.requireNonNullElse(pending, 0)
        + " pending, "
        + Objects.requireNonNullElse(reserving, 0)
        + " reserving, "
        + Objects.requireNonNullElse(admitted, 0)
        + " admitted";
  }
}
