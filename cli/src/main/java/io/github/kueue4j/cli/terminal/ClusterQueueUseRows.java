// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** ClusterQueues with what is used of their quota: a row for each flavor and resource. */
final class ClusterQueueUseRows {
  /** What is printed for a number that no core has written. */
  static final String UNKNOWN = "?";

  private static final List<String> HEADER =
      List.of(
          "QUEUE",
          "COHORT",
          "PENDING",
          "ADMITTED",
          "FLAVOR",
          "RESOURCE",
          "USED",
          "NOMINAL",
          "BORROWED",
          "USE",
          "STATE",
          "WHY");

  /** Members of a cohort stand together, since they share quota. */
  private static final Comparator<ClusterQueue> BY_COHORT =
      Comparator.comparing(
              (ClusterQueue queue) -> Objects.requireNonNullElse(queue.spec().cohortName(), ""))
          .thenComparing(queue -> queue.key().name());

  private ClusterQueueUseRows() {}

  /** The lines of a table. */
  static List<String> table(List<ClusterQueue> queues) {
    return new Table(HEADER)
        .lines(queues.stream().sorted(BY_COHORT).flatMap(queue -> rows(queue).stream()).toList());
  }

  /** The queue's own columns stand in its first row only. */
  private static List<List<String>> rows(ClusterQueue queue) {
    QueueState state = QueueState.of(queue);
    boolean written = QueueState.written(queue);
    List<QuotaText> quotas = QuotaText.of(queue);
    List<List<String>> rows = new ArrayList<>();
    for (int index = 0; index < Math.max(1, quotas.size()); index++) {
      List<String> row = new ArrayList<>();
      row.addAll(index == 0 ? facts(queue) : List.of("", "", "", ""));
      row.addAll(
          quotas.isEmpty() ? List.of("", "", "", "", "", "") : use(quotas.get(index), written));
      row.addAll(index == 0 ? Cells.of(state.word()).text(state.why()).list() : List.of("", ""));
      rows.add(row);
    }
    return rows;
  }

  private static List<String> facts(ClusterQueue queue) {
    return Cells.of(
            "cq/" + queue.key().name(),
            queue.spec().cohortName(),
            Objects.requireNonNullElse(queue.status().pendingWorkloads(), UNKNOWN),
            Objects.requireNonNullElse(queue.status().admittedWorkloads(), UNKNOWN))
        .list();
  }

  private static List<String> use(QuotaText quota, boolean known) {
    return Cells.of(
            quota.flavor(),
            quota.quota().name(),
            known ? quota.used() : UNKNOWN,
            quota.quota().nominalQuota(),
            known ? quota.borrowed() : UNKNOWN,
            known ? percent(quota) : UNKNOWN)
        .list();
  }

  /** The used part of the nominal quota; above 100% it borrows. */
  private static String percent(QuotaText quota) {
    BigDecimal nominal = quota.quota().nominalQuota().amount();
    return nominal.signum() == 0
        ? ""
        : quota
                .used()
                .amount()
                .movePointRight(2)
                .divide(nominal, 0, RoundingMode.HALF_UP)
                .toBigInteger()
            + "%";
  }
}
