// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.observe.recording.ForecastOutcome.BandPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How often the band held on each load and on all: the table and the chart of the guide.
 *
 * @param part forecasts of one load that the table shows once more by themselves
 */
record CalibrationReport(List<CalibrationRow> loads, CalibrationRow part) {
  /** The bounds of what the band should hold, in percent. */
  static final int LEAST = 75;

  static final int MOST = 85;

  private static final int LEFT = 330;
  private static final int WIDTH = 400;
  private static final int TOP = 50;
  private static final int STEP = 26;

  /** The left end of the chart, in percent. */
  private static final int FROM = 50;

  CalibrationReport {
    loads = List.copyOf(loads);
  }

  CalibrationRow all() {
    return new CalibrationRow("all", loads.stream().flatMap(load -> load.days().stream()).toList());
  }

  private List<CalibrationRow> rows() {
    List<CalibrationRow> rows = new ArrayList<>(loads);
    rows.add(all());
    return rows;
  }

  /** The table in Markdown. */
  String table() {
    return """
        | Load | Asked | At once | Not known | Open or undecided | Earlier | In the band | Later | Held |
        |---|---|---|---|---|---|---|---|---|
        """
        + rows().stream().map(CalibrationReport::line).collect(Collectors.joining())
        + line(part);
  }

  private static String line(CalibrationRow row) {
    int atOnce = row.count(BandPlace.AT_ONCE);
    return "| %s | %d | %d of %d | %d | %d | %d | %d | %d | %s |\n"
        .formatted(
            row.load(),
            row.asked(),
            atOnce,
            atOnce + row.count(BandPlace.NOT_AT_ONCE),
            row.count(BandPlace.NOT_KNOWN),
            row.count(BandPlace.OPEN)
                + row.count(BandPlace.UNDECIDED)
                + row.count(BandPlace.DELETED),
            row.count(BandPlace.EARLIER),
            row.count(BandPlace.INSIDE),
            row.count(BandPlace.LATER),
            row.words());
  }

  /** An SVG with a dot for each load, twice its standard error, and where the dots should be. */
  String chart() {
    List<CalibrationRow> rows = rows();
    int height = STEP * rows.size();
    StringBuilder marks = new StringBuilder();
    for (int percent = FROM; percent <= 100; percent += 10) {
      marks.append(
          """
          <path d="M%1$s %2$d v%3$d" stroke="#ddd"/>
          <text x="%1$s" y="%4$d" text-anchor="middle">%5$d %%</text>
          """
              .formatted(x(percent), TOP, height, TOP + height + 18, percent));
    }
    for (int index = 0; index < rows.size(); index++) {
      marks.append(mark(rows.get(index), TOP + STEP * index + STEP / 2));
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="10" y="20">How often the band of a forecast held, ± twice the standard error; grey: %d to %d %%</text>
        <rect x="%s" y="%d" width="%s" height="%d" fill="#e4e4e4"/>
        %s</svg>
        """
        .formatted(
            LEFT + WIDTH + 110,
            TOP + height + 30,
            LEAST,
            MOST,
            x(LEAST),
            TOP,
            number(WIDTH * (MOST - LEAST) / 50.0),
            height,
            marks);
  }

  private static String mark(CalibrationRow row, int y) {
    return """
        <text x="%1$d" y="%2$d" text-anchor="end">%3$s</text>
        <path d="M%4$s %5$d H%6$s" stroke="#36c" stroke-width="2"/>
        <circle cx="%7$s" cy="%5$d" r="4" fill="#36c"/>
        <text x="%8$d" y="%2$d">%9$s</text>
        """
        .formatted(
            LEFT - 10,
            y + 4,
            row.load(),
            x(row.held() - row.margin()),
            y,
            x(row.held() + row.margin()),
            x(row.held()),
            LEFT + WIDTH + 14,
            row.words());
  }

  private static String x(double percent) {
    return number(LEFT + WIDTH * (Math.clamp(percent, FROM, 100) - FROM) / (100 - FROM));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
