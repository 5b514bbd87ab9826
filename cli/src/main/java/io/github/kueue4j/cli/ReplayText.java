// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.observe.explain.DurationText;
import io.github.kueue4j.observe.recording.RecordingReader;
import io.github.kueue4j.observe.recording.ReplayReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A replay as a table for a person, or as a tree for a program.
 *
 * @param unchanged whether quota, checks and configuration are those of the recording
 */
record ReplayText(ReplayReport report, boolean unchanged) {
  private static final int SHOWN = 5;

  private static final List<String> HEADER =
      List.of(
          "CLUSTERQUEUE",
          "",
          "ADMITTED",
          "NOT ADMITTED",
          "WAIT 50%",
          "WAIT 90%",
          "LONGEST",
          "PREEMPTED",
          "USE");

  String text() {
    List<String> lines = new ArrayList<>();
    RecordingReader.Extent extent = report.extent();
    lines.add(
        "%d Workloads from %s to %s (%s)"
            .formatted(
                report.workloads(),
                extent.from(),
                extent.to(),
                DurationText.words(Duration.between(extent.from(), extent.to()))));
    if (extent.end().isEmpty()) {
      lines.add(
          "The file is cut off after %d changes, at %s: what came later is lost."
              .formatted(extent.changes(), extent.to()));
    }
    lines.add("");
    List<List<String>> rows = new ArrayList<>();
    report
        .queues()
        .forEach(
            (name, queue) -> {
              String quota = mostUsed(queue);
              rows.add(row(name, "recorded", queue.recorded(), quota));
              rows.add(row("", "replayed", queue.replayed(), quota));
            });
    lines.addAll(new Table(HEADER).lines(rows));
    lines.add("");
    int recorded =
        report.queues().values().stream().mapToInt(queue -> queue.recorded().deactivated()).sum();
    int replayed =
        report.queues().values().stream().mapToInt(queue -> queue.replayed().deactivated()).sum();
    if (recorded + replayed > 0) {
      lines.add(
          "Deactivated before they were admitted, such as by a check that rejected them, and in no figure of waits: %d recorded, %d replayed."
              .formatted(recorded, replayed));
    }
    lines.add(
        "%d of %d recorded decisions are the same in the replay, which took %d."
            .formatted(report.same(), report.recorded(), report.replayed().size()));
    List<String> differences = report.differences();
    if (unchanged && !differences.isEmpty()) {
      lines.add("The first that differ:");
      differences.stream().limit(SHOWN).forEach(each -> lines.add("  " + each));
      lines.add(
          "They may differ where changes came within %s of each other: the recorder and the core hear of them in turn. Past usage of admission fair sharing is not in a recording, either."
              .formatted(DurationText.words(ReplayReport.TOLERANCE)));
    }
    if (unchanged && extent.configuration().isEmpty()) {
      lines.add(
          "The core's configuration is not in the recording: this is a core of the default one;"
              + " give another with --config.");
    }
    report.assumptions().forEach(lines::add);
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  private static List<String> row(
      String name, String which, ReplayReport.QueueFigures figures, String quota) {
    return List.of(
        name,
        which,
        String.valueOf(figures.admitted()),
        String.valueOf(figures.notAdmitted()),
        wait(figures, 0.5),
        wait(figures, 0.9),
        wait(figures, 1),
        String.valueOf(figures.preemptions()),
        use(figures, quota));
  }

  private static String wait(ReplayReport.QueueFigures figures, double share) {
    return figures
        .waitWithin(share)
        .map(DurationText::words)
        .orElse(figures.admitted() + figures.notAdmitted() == 0 ? "-" : "to the end");
  }

  private static String use(ReplayReport.QueueFigures figures, String quota) {
    return Optional.ofNullable(figures.uses().get(quota))
        .map(
            use ->
                use.share()
                        .map(share -> String.format(Locale.ROOT, "%.0f %% of ", share * 100))
                        .orElse(String.format(Locale.ROOT, "%.1f of ", use.mean()))
                    + use.nominal().stripTrailingZeros().toPlainString()
                    + " "
                    + quota)
        .orElse("-");
  }

  /** The quota of which the largest share is used; empty if there is none. */
  static String mostUsed(ReplayReport.QueueComparison queue) {
    return Stream.of(queue.recorded(), queue.replayed())
        .flatMap(figures -> figures.uses().entrySet().stream())
        .max(Comparator.comparing(entry -> entry.getValue().share().orElse(0.0)))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("from", report.extent().from().toString());
    tree.put("to", report.extent().to().toString());
    tree.put("end", report.extent().end().orElse("cut off"));
    tree.put("workloads", report.workloads());
    List<Map<String, Object>> queues = new ArrayList<>();
    report
        .queues()
        .forEach(
            (name, queue) -> {
              Map<String, Object> each = new LinkedHashMap<>();
              each.put("clusterQueue", name);
              each.put("recorded", tree(queue.recorded()));
              each.put("replayed", tree(queue.replayed()));
              queues.add(each);
            });
    tree.put("queues", queues);
    tree.put("recordedDecisions", report.recorded());
    tree.put("replayedDecisions", report.replayed().size());
    tree.put("sameDecisions", report.same());
    tree.put("differences", report.differences());
    tree.put("assumptions", report.assumptions());
    return tree;
  }

  private static Map<String, Object> tree(ReplayReport.QueueFigures figures) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("admitted", figures.admitted());
    tree.put("notAdmitted", figures.notAdmitted());
    tree.put("deactivated", figures.deactivated());
    put(tree, "medianWaitSeconds", figures.waitWithin(0.5));
    put(tree, "ninetyPercentWaitSeconds", figures.waitWithin(0.9));
    put(tree, "longestWaitSeconds", figures.waitWithin(1));
    tree.put("preemptions", figures.preemptions());
    Map<String, Object> uses = new LinkedHashMap<>();
    figures
        .uses()
        .forEach(
            (quota, use) -> {
              Map<String, Object> each = new LinkedHashMap<>();
              each.put("nominal", use.nominal());
              each.put("mean", Math.round(use.mean() * 1000) / 1000.0);
              uses.put(quota, each);
            });
    tree.put("uses", uses);
    return tree;
  }

  /** Null where that many were not admitted. */
  private static void put(Map<String, Object> tree, String key, Optional<Duration> wait) {
    tree.put(key, wait.map(known -> Math.round(known.toMillis() / 1000.0)).orElse(null));
  }

  /** As in a document of XML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A coordinate of a picture. */
  static String coordinate(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
