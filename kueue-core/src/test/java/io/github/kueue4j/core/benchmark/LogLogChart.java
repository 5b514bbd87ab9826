// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A chart of lines with logarithmic axes, as an SVG file that is readable in light and dark. What
 * grows linearly has the slope of the dashed line.
 *
 * <pre>{@code
 * new LogLogChart("Start", "waiting Workloads", "seconds")
 *     .line("plain", Map.of(1_000, 0.3, 10_000, 2.9))
 *     .svg();
 * }</pre>
 */
final class LogLogChart {
  private static final int WIDTH = 660;
  private static final int HEIGHT = 400;
  private static final int LEFT = 70;
  private static final int RIGHT = 40;
  private static final int TOP = 70;
  private static final int BOTTOM = 50;

  /** Told apart by people who see few colors, and by the shapes of their points. */
  private static final List<String> STYLES = List.of("a", "b", "c", "d");

  private final String title;
  private final String across;
  private final String up;
  private final SortedMap<String, SortedMap<Integer, Double>> lines = new TreeMap<>();

  LogLogChart(String title, String across, String up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  /**
   * Adds a line.
   *
   * @param points at least one; both coordinates positive
   */
  LogLogChart line(String name, Map<Integer, Double> points) {
    if (points.isEmpty() || points.values().stream().anyMatch(value -> !(value > 0))) {
      throw new IllegalArgumentException("no positive values for the line " + name + ": " + points);
    }
    if (lines.size() == STYLES.size()) {
      throw new IllegalArgumentException("more than " + STYLES.size() + " lines");
    }
    lines.put(name, new TreeMap<>(points));
    return this;
  }

  String svg() {
    Axis x = Axis.over(lines.values().stream().flatMap(line -> line.keySet().stream()).toList());
    Axis y = Axis.over(lines.values().stream().flatMap(line -> line.values().stream()).toList());
    StringBuilder svg = new StringBuilder(head());
    for (int power = x.first; power <= x.last; power++) {
      double at = across(x, Math.pow(10, power));
      svg.append(vertical(at)).append(text(at, HEIGHT - BOTTOM + 18, "middle", label(power)));
    }
    for (int power = y.first; power <= y.last; power++) {
      double at = up(y, Math.pow(10, power));
      svg.append(horizontal(at)).append(text(LEFT - 8, at + 4, "end", label(power)));
    }
    svg.append(linear(x, y));
    int number = 0;
    for (Map.Entry<String, SortedMap<Integer, Double>> line : lines.entrySet()) {
      svg.append(drawn(line.getKey(), line.getValue(), x, y, number++));
    }
    return svg.append(text(LEFT + plotWidth() / 2.0, HEIGHT - 12, "middle", across))
        .append("</svg>\n")
        .toString();
  }

  private String head() {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" role="img" aria-label="%3$s">
        <style>
        svg {font: 13px sans-serif; background: #ffffff}
        text {fill: #1f2328}
        .grid {stroke: #d0d7de}
        .linear {stroke: #818b98; stroke-dasharray: 5 5}
        polyline {fill: none; stroke-width: 2}
        .a {stroke: #0550ae} .b {stroke: #bc4c00} .c {stroke: #1a7f37} .d {stroke: #8250df}
        @media (prefers-color-scheme: dark) {
        svg {background: #0d1117} text {fill: #e6edf3} .grid {stroke: #30363d}
        .a {stroke: #79c0ff} .b {stroke: #ffa657} .c {stroke: #56d364} .d {stroke: #d2a8ff}
        }
        </style>
        <text x="%4$d" y="20" font-weight="bold">%3$s</text>
        <text x="%4$d" y="38">%5$s</text>
        """
        .formatted(WIDTH, HEIGHT, escaped(title), LEFT, escaped(up));
  }

  /** The slope of what is proportional, through the lower left corner of the first line. */
  private String linear(Axis x, Axis y) {
    Map.Entry<Integer, Double> first =
        lines.values().iterator().next().entrySet().iterator().next();
    double factor = first.getValue() / first.getKey();
    double most = Math.min(x.most(), y.most() / factor);
    double least = Math.max(x.least(), y.least() / factor);
    return most <= least
        ? ""
        : "<line class=\"linear\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>%n"
            .formatted(
                number(across(x, least)),
                number(up(y, least * factor)),
                number(across(x, most)),
                number(up(y, most * factor)));
  }

  private static String drawn(
      String name, SortedMap<Integer, Double> points, Axis x, Axis y, int number) {
    String style = STYLES.get(number);
    StringBuilder path = new StringBuilder();
    StringBuilder marks = new StringBuilder();
    points.forEach(
        (from, value) -> {
          double right = across(x, from);
          double height = up(y, value);
          path.append(number(right)).append(',').append(number(height)).append(' ');
          marks.append(mark(style, right, height, "%d: %.3g".formatted(from, value)));
        });
    double legend = LEFT + 140.0 * number;
    return "<polyline class=\"%s\" points=\"%s\"/>%n".formatted(style, path.toString().strip())
        + marks
        + mark(style, legend + 5, TOP - 16, name)
        + text(legend + 14, TOP - 12, "start", name);
  }

  private static String mark(String style, double x, double y, String title) {
    String shape =
        switch (style) {
          case "a" -> "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0";
          case "b" -> "m-4,-4h8v8h-8z";
          case "c" -> "m0,-5l5,9h-10z";
          default -> "m-4,-4l8,8m0,-8l-8,8";
        };
    return "<path class=\"%s\" fill=\"none\" stroke-width=\"2\" d=\"M%s,%s%s\"><title>%s</title></path>%n"
        .formatted(style, number(x), number(y), shape, escaped(title));
  }

  private static String vertical(double x) {
    return "<line class=\"grid\" x1=\"%1$s\" y1=\"%2$d\" x2=\"%1$s\" y2=\"%3$d\"/>%n"
        .formatted(number(x), TOP, HEIGHT - BOTTOM);
  }

  private static String horizontal(double y) {
    return "<line class=\"grid\" x1=\"%2$d\" y1=\"%1$s\" x2=\"%3$d\" y2=\"%1$s\"/>%n"
        .formatted(number(y), LEFT, WIDTH - RIGHT);
  }

  private static String text(double x, double y, String anchor, String words) {
    return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>%n"
        .formatted(number(x), number(y), anchor, escaped(words));
  }

  private static double across(Axis axis, double value) {
    return LEFT + axis.share(value) * plotWidth();
  }

  private static double up(Axis axis, double value) {
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - TOP - BOTTOM);
  }

  private static int plotWidth() {
    return WIDTH - LEFT - RIGHT;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String label(int power) {
    return power < 0
        ? String.format(Locale.ROOT, "%." + -power + "f", Math.pow(10, power))
        : String.format(Locale.ROOT, "%,.0f", Math.pow(10, power));
  }

  private static String escaped(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /**
   * A logarithmic axis.
   *
   * @param first power of ten of its lower end, {@code last} that of its upper end
   */
  private record Axis(int first, int last) {
    static Axis over(Collection<? extends Number> values) {
      double least = values.stream().mapToDouble(Number::doubleValue).min().orElseThrow();
      double most = values.stream().mapToDouble(Number::doubleValue).max().orElseThrow();
      int first = (int) Math.floor(Math.log10(least));
      return new Axis(first, Math.max(first + 1, (int) Math.ceil(Math.log10(most))));
    }

    double share(double value) {
      return (Math.log10(value) - first) / (last - first);
    }

    double least() {
      return Math.pow(10, first);
    }

    double most() {
      return Math.pow(10, last);
    }
  }
}
