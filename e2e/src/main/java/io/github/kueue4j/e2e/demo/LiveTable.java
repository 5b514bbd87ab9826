// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A table that redraws itself in place on a terminal. Not thread-safe: one caller shows. */
final class LiveTable implements Screen {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String UP = "\u001b[%dA";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";
  private static final String GAP = "  ";

  private record Column(String title, Function<WorkloadLine, String> text) {}

  private final PrintStream out;
  private final int width;
  private final int height;
  private final boolean styled;
  private int drawn;

  /**
   * A table of at most the given size, in characters.
   *
   * @param environment {@code NO_COLOR} in it, unless empty, means plain text (no-color.org)
   */
  LiveTable(PrintStream out, int width, int height, Map<String, String> environment) {
    this.out = out;
    this.width = width;
    this.height = height;
    this.styled = environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  @Override
  public void show(Instant now, List<WorkloadLine> lines) {
    List<String> text = new ArrayList<>();
    text.add(bold("kueue4j demo" + GAP + CLOCK.format(now) + " (simulated)"));
    text.addAll(table(now, lines));
    StringBuilder frame = new StringBuilder();
    if (drawn > 0) {
      frame.append(String.format(Locale.ROOT, UP, drawn)).append('\r');
    }
    frame.append(CLEAR_BELOW);
    text.forEach(line -> frame.append(line).append('\n'));
    out.print(frame);
    out.flush();
    drawn = text.size();
  }

  @Override
  public void note(Instant now, String sentence) {
    // Stays above the table, which is drawn anew below it.
    StringBuilder frame = new StringBuilder();
    if (drawn > 0) {
      frame.append(String.format(Locale.ROOT, UP, drawn)).append('\r');
    }
    frame.append(CLEAR_BELOW).append(cut(CLOCK.format(now) + GAP + sentence)).append('\n');
    out.print(frame);
    out.flush();
    drawn = 0;
  }

  private List<String> table(Instant now, List<WorkloadLine> lines) {
    List<Column> columns =
        List.of(
            new Column("WORKLOAD", WorkloadLine::name),
            new Column("PHASE", WorkloadLine::phaseWord),
            new Column("CHECKS (#attempt)", WorkloadLine::checksText),
            new Column("REQUEUE IN", line -> line.requeueIn(now)),
            new Column("WHY", WorkloadLine::message));
    // The last line of the terminal stays free, and what doesn't fit is counted.
    int room = Math.max(1, height - 4);
    List<WorkloadLine> visible = lines.subList(0, Math.min(room, lines.size()));
    List<String> text = new ArrayList<>();
    text.add(bold(row(columns, visible, Column::title)));
    for (WorkloadLine line : visible) {
      text.add(row(columns, visible, column -> column.text().apply(line)));
    }
    if (visible.size() < lines.size()) {
      text.add("... and " + (lines.size() - visible.size()) + " more");
    }
    return text;
  }

  private String row(
      List<Column> columns, List<WorkloadLine> lines, Function<Column, String> cell) {
    StringBuilder row = new StringBuilder();
    for (Column column : columns) {
      int size =
          lines.stream()
              .mapToInt(line -> column.text().apply(line).length())
              .reduce(column.title().length(), Math::max);
      String text = cell.apply(column);
      row.append(text).append(" ".repeat(size - text.length())).append(GAP);
    }
    return cut(row.toString().stripTrailing());
  }

  private String bold(String text) {
    return styled ? BOLD + text + PLAIN : text;
  }

  private String cut(String text) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
  }
}
