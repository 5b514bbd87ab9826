// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.core.dryrun.QuotaForecast;
import io.github.kueue4j.core.explain.DurationText;
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
 * @param forecast empty if it doesn't wait for quota
 * @param why what {@code explain} says of it
 */
record ForecastText(String name, Optional<QuotaForecast> forecast, String why) {
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(name + ": " + answer());
    lines.add("");
    lines.add("  " + why);
    forecast.ifPresent(
        known -> {
          lines.add("");
          lines.addAll(basis(known));
        });
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  private String answer() {
    if (forecast.isEmpty()) {
      return "doesn't wait for quota";
    }
    Optional<Duration> likely = forecast.get().likely();
    return likely
        .map(
            known ->
                known.isZero()
                    ? "gets quota at once"
                    : "gets quota in about " + DurationText.words(known))
        .or(
            () ->
                forecast
                    .get()
                    .atMost()
                    .map(most -> "gets quota in " + DurationText.words(most) + " at most"))
        .orElse("not known");
  }

  private static List<String> basis(QuotaForecast known) {
    List<String> lines = new ArrayList<>();
    if (known.earliest().isPresent() && known.likely().isPresent()) {
      lines.add(
          "  Eight times in ten: in %s to %s"
              .formatted(
                  DurationText.words(known.earliest().get()),
                  known.latest().map(DurationText::words).orElse("no known time")));
    }
    known
        .atMost()
        .ifPresent(
            most ->
                lines.add(
                    "  At most, by maximum execution times and if nothing comes before it: in "
                        + DurationText.words(most)));
    lines.add(
        known.finished() == 0
            ? "  No Workload of its queues has finished that is still there to tell how long others take."
            : "  Foreseen by "
                + known.finished()
                + (known.finished() == 1 ? " Workload" : " Workloads")
                + " of its queues that finished, and by how many come.");
    return lines;
  }

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("waits", forecast.isPresent());
    forecast.ifPresent(
        known -> {
          put(tree, "earliestSeconds", known.earliest());
          put(tree, "likelySeconds", known.likely());
          put(tree, "latestSeconds", known.latest());
          put(tree, "atMostSeconds", known.atMost());
          tree.put("finished", known.finished());
        });
    tree.put("why", why);
    return tree;
  }

  private static void put(Map<String, Object> tree, String key, Optional<Duration> time) {
    time.ifPresent(known -> tree.put(key, known.toSeconds()));
  }
}
