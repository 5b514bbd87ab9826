// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.observe.recording.ForecastOutcome;
import io.github.kueue4j.observe.recording.ForecastOutcome.BandPlace;
import io.github.kueue4j.observe.recording.ForecastOutcome.WaitEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The outcome of forecasts for recorded Workloads, as a table for a person, or as a tree for a
 * program.
 */
record ForecastReplayText(List<ForecastOutcome> outcomes) {
  private static final String ALL = "all";

  /**
   * Where a wait is that tells of the band. An open band counts only where it is missed: what it
   * holds is more than eight of ten.
   */
  static final Set<BandPlace> DECIDED =
      Set.of(BandPlace.EARLIER, BandPlace.INSIDE, BandPlace.LATER);

  private static final List<String> HEADER =
      List.of(
          "CLUSTERQUEUE",
          "ASKED",
          "AT ONCE",
          "NOT AT ONCE",
          "NOT KNOWN",
          "OPEN",
          "DELETED",
          "UNDECIDED",
          "EARLIER",
          "IN THE BAND",
          "LATER",
          "HELD");

  ForecastReplayText {
    outcomes = List.copyOf(outcomes);
  }

  /** How many waits were where. */
  private static final class Places {
    private final Map<BandPlace, Integer> counts = new EnumMap<>(BandPlace.class);

    int count(BandPlace place) {
      return counts.getOrDefault(place, 0);
    }

    int asked() {
      return counts.values().stream().mapToInt(each -> each).sum();
    }

    int decided() {
      return DECIDED.stream().mapToInt(this::count).sum();
    }

    String held() {
      return decided() == 0
          ? "-"
          : String.format(Locale.ROOT, "%.0f %%", 100.0 * count(BandPlace.INSIDE) / decided());
    }
  }

  private Places all() {
    Places all = new Places();
    outcomes.forEach(each -> all.counts.merge(each.place(), 1, Integer::sum));
    return all;
  }

  private Map<String, Places> byQueue() {
    Map<String, Places> queues = new TreeMap<>();
    for (ForecastOutcome each : outcomes) {
      queues
          .computeIfAbsent(each.clusterQueue(), any -> new Places())
          .counts
          .merge(each.place(), 1, Integer::sum);
    }
    return queues;
  }

  String text() {
    List<String> lines = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    byQueue().forEach((name, places) -> rows.add(row(name, places)));
    Places all = all();
    rows.add(row(ALL, all));
    lines.addAll(new Table(HEADER).lines(rows));
    lines.add("");
    lines.add(
        all.decided() == 0
            ? "No Workload waited of which a forecast knew when it gets quota."
            : "Of %d waits, %d were in the band of the forecast: %s, where eight of ten should be."
                .formatted(all.decided(), all.count(BandPlace.INSIDE), all.held()));
    byQueue().keySet().forEach(queue -> lines.addAll(notKnown(queue)));
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  /** Why there were no forecasts in a ClusterQueue: each reason, with how many it was. */
  private List<String> notKnown(String queue) {
    Map<String, Integer> reasons = new LinkedHashMap<>();
    outcomes.stream()
        .filter(each -> each.clusterQueue().equals(queue) && each.place() == BandPlace.NOT_KNOWN)
        .forEach(each -> reasons.merge(each.forecast().reason().orElseThrow(), 1, Integer::sum));
    return reasons.entrySet().stream()
        .map(each -> "Not known in %s: %d. %s".formatted(queue, each.getValue(), each.getKey()))
        .toList();
  }

  private static List<String> row(String name, Places places) {
    return List.of(
        name,
        String.valueOf(places.asked()),
        String.valueOf(places.count(BandPlace.AT_ONCE)),
        String.valueOf(places.count(BandPlace.NOT_AT_ONCE)),
        String.valueOf(places.count(BandPlace.NOT_KNOWN)),
        String.valueOf(places.count(BandPlace.OPEN)),
        String.valueOf(places.count(BandPlace.DELETED)),
        String.valueOf(places.count(BandPlace.UNDECIDED)),
        String.valueOf(places.count(BandPlace.EARLIER)),
        String.valueOf(places.count(BandPlace.INSIDE)),
        String.valueOf(places.count(BandPlace.LATER)),
        places.held());
  }

  Map<String, Object> tree() {
    List<Map<String, Object>> queues = new ArrayList<>();
    byQueue()
        .forEach(
            (name, places) -> {
              Map<String, Object> queue = new LinkedHashMap<>();
              queue.put("clusterQueue", name);
              queue.putAll(tree(places));
              queues.add(queue);
            });
    Map<String, Object> tree = new LinkedHashMap<>(tree(all()));
    tree.put("queues", queues);
    tree.put("forecasts", outcomes.stream().map(ForecastReplayText::tree).toList());
    return tree;
  }

  private static Map<String, Object> tree(Places places) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("asked", places.asked());
    tree.put("atOnce", places.count(BandPlace.AT_ONCE));
    tree.put("notAtOnce", places.count(BandPlace.NOT_AT_ONCE));
    tree.put("notKnown", places.count(BandPlace.NOT_KNOWN));
    tree.put("open", places.count(BandPlace.OPEN));
    tree.put("deleted", places.count(BandPlace.DELETED));
    tree.put("undecided", places.count(BandPlace.UNDECIDED));
    tree.put("earlier", places.count(BandPlace.EARLIER));
    tree.put("inside", places.count(BandPlace.INSIDE));
    tree.put("later", places.count(BandPlace.LATER));
    return tree;
  }

  private static Map<String, Object> tree(ForecastOutcome outcome) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("workload", outcome.workload().toString());
    tree.put("clusterQueue", outcome.clusterQueue());
    tree.put("asked", outcome.asked().toString());
    put(tree, "earliestSeconds", outcome.forecast().earliest());
    put(tree, "likelySeconds", outcome.forecast().likely());
    put(tree, "latestSeconds", outcome.forecast().latest());
    QuotaForecast forecast = outcome.forecast();
    forecast.reason().ifPresent(why -> tree.put("unknownBecause", forecast.obstacle().orElse(why)));
    tree.put("waitedSeconds", outcome.waited().toSeconds());
    tree.put("reserved", outcome.end() == WaitEnd.RESERVED);
    return tree;
  }

  private static void put(Map<String, Object> tree, String key, Optional<Duration> time) {
    time.ifPresent(known -> tree.put(key, known.toSeconds()));
  }
}
