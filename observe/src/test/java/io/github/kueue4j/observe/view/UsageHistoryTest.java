// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.observe.view.ShownQueues.Counts;
import io.github.kueue4j.observe.view.ShownQueues.LocalQueueRow;
import io.github.kueue4j.observe.view.ShownQueues.PastUsage;
import io.github.kueue4j.observe.view.ShownQueues.QueueNode;
import io.github.kueue4j.observe.view.ShownQueues.ShareOfParent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UsageHistoryTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  private final UsageHistory history = new UsageHistory();

  @Test
  void keepsWhatIsAboveZeroOverTime() {
    sample(0, List.of(share("borrower", 10), share("other", 0)), List.of());
    sample(1, List.of(share("borrower", 0), share("other", 0)), List.of(usage("team", "lq", 3)));

    ShownHistory shown = history.shown(true, "");

    assertThat(shown.times()).containsExactly(START, START.plusSeconds(60));
    assertThat(shown.shares())
        .containsExactly(
            new ShownHistory.ShareLine("ClusterQueue", "borrower", List.of(10.0, 0.0)));
    assertThat(shown.usage())
        .containsExactly(new ShownHistory.UsageLine("team", "lq", List.of(0.0, 3.0)));
  }

  @Test
  void showsWhatTheViewerMaySee() {
    sample(0, List.of(share("a", 1)), List.of(usage("team", "lq", 3), usage("other", "lq", 4)));

    assertThat(history.shown(false, "team").shares()).isEmpty();
    assertThat(history.shown(false, "team").usage())
        .containsExactly(new ShownHistory.UsageLine("team", "lq", List.of(3.0)));
    assertThat(history.shown(true, null).usage()).isEmpty();
    assertThat(history.shown(true, "").usage()).hasSize(2);
  }

  @Test
  void isBoundedHoweverManyQueuesThereAre() {
    List<QueueNode> many =
        IntStream.range(0, 500).mapToObj(number -> share("q" + number, number)).toList();
    for (int minute = 0; minute < UsageHistory.MOST_SAMPLES + 5; minute++) {
      sample(minute, many, List.of());
    }

    ShownHistory shown = history.shown(true, "");

    assertThat(shown.times())
        .hasSize(UsageHistory.MOST_SAMPLES)
        .startsWith(START.plusSeconds(5 * 60));
    assertThat(shown.shares())
        .hasSize(UsageHistory.MOST_VALUES)
        .extracting(ShownHistory.ShareLine::name)
        .contains("q499", "q300")
        .doesNotContain("q299");
  }

  private void sample(int minute, List<QueueNode> queues, List<LocalQueueRow> localQueues) {
    history.add(
        new ShownQueues(START.plusSeconds(60L * minute), true, List.of(), queues, localQueues));
  }

  private static QueueNode share(String name, double weighted) {
    return new QueueNode(
        name,
        "lab",
        "BestEffortFIFO",
        true,
        "",
        "",
        new Counts(0, 0, 0, 0),
        0,
        List.of(),
        List.of(),
        new ShareOfParent(weighted, 1, weighted, "cpu"),
        null);
  }

  private static LocalQueueRow usage(String namespace, String name, double compared) {
    return new LocalQueueRow(
        namespace,
        name,
        "cq",
        true,
        "",
        "",
        new Counts(0, 0, 0, 0),
        new PastUsage(compared, Map.of(), null));
  }
}
