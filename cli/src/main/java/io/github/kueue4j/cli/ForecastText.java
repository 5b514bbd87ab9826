// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.observe.forecast.CheckDurations;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A forecast as text for a person, or as a tree for a program.
 *
 * @param name of the Workload or Job
 * @param answer in a few words
 * @param forecast empty if it doesn't wait for quota
 * @param checks how long those take that it waits for with quota; empty if it doesn't, or too
 *     little is known
 * @param why what {@code explain} says of it
 */
record ForecastText(
    String name,
    String answer,
    Optional<QuotaForecast> forecast,
    Optional<CheckDurations> checks,
    String why) {
  /** The text about one that waits. */
  static ForecastText of(String name, QuotaForecast forecast, String why) {
    return new ForecastText(name, forecast.answer(), Optional.of(forecast), forecast.checks(), why);
  }

  /** The text about one that doesn't wait for quota. */
  static ForecastText notWaiting(
      String name, String state, Optional<CheckDurations> checks, String why) {
    return new ForecastText(name, state, Optional.empty(), checks, why);
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(name + ": " + answer);
    lines.add("");
    lines.add("  " + why);
    List<String> basis =
        forecast
            .map(QuotaForecast::basis)
            .orElseGet(() -> checks.stream().map(CheckDurations::words).toList());
    if (!basis.isEmpty()) {
      lines.add("");
      basis.forEach(line -> lines.add("  " + line));
    }
    forecast.ifPresent(
        known -> {
          if (!known.remarks().isEmpty()) {
            lines.add("");
            lines.add("Notes");
            known.remarks().forEach(remark -> lines.add("  " + remark));
          }
        });
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("answer", answer);
    tree.put("waits", forecast.isPresent());
    forecast.ifPresent(
        known -> {
          put(tree, "earliestSeconds", known.earliest());
          put(tree, "likelySeconds", known.likely());
          put(tree, "latestSeconds", known.latest());
          put(tree, "atMostSeconds", known.atMost());
          put(tree, "delayEndsSeconds", known.delayEnds());
          known.obstacle().ifPresent(text -> tree.put("unknownBecause", text));
          known.finished().ifPresent(count -> tree.put("finished", count));
          tree.put("remarks", known.remarks());
        });
    checks.ifPresent(
        known -> {
          put(tree, "checksShortestSeconds", Optional.of(known.shortest()));
          put(tree, "checksLongestSeconds", Optional.of(known.longest()));
          known.workloads().ifPresent(count -> tree.put("checksOf", count));
        });
    tree.put("why", why);
    return tree;
  }

  private static void put(Map<String, Object> tree, String key, Optional<Duration> time) {
    time.ifPresent(known -> tree.put(key, known.toSeconds()));
  }
}
