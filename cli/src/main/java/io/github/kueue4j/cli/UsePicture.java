// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.observe.recording.RecordingReader;
import io.github.kueue4j.observe.recording.ReplayReport;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The use of quota over time as SVG: a panel for each ClusterQueue, of the quota that is used most;
 * grey as recorded, blue as replayed, dashed the nominal quota of the replay.
 */
final class UsePicture {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 120;
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int GAP = 50;

  /** More steps than a line has points of the screen aren't seen. */
  private static final int STEPS = 2 * WIDTH;

  private UsePicture() {}

  /** The picture of a replay. */
  static String svg(ReplayReport report) {
    StringBuilder panels = new StringBuilder();
    int top = TOP;
    for (Map.Entry<String, ReplayReport.QueueComparison> queue : report.queues().entrySet()) {
      String quota = ReplayText.mostUsed(queue.getValue());
      if (!quota.isEmpty()) {
        panels.append(panel(queue.getKey(), quota, queue.getValue(), report.extent(), top));
        top += HEIGHT + GAP;
      }
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="%d" y="20">Use from %s to %s: recorded grey, replayed blue, quota of the replay dashed</text>
        %s</svg>
        """
        .formatted(
            LEFT + WIDTH + 20, top, LEFT, report.extent().from(), report.extent().to(), panels);
  }

  private static String panel(
      String name,
      String quota,
      ReplayReport.QueueComparison queue,
      RecordingReader.Extent extent,
      int top) {
    Optional<ReplayReport.QuotaUse> recorded =
        Optional.ofNullable(queue.recorded().uses().get(quota));
    Optional<ReplayReport.QuotaUse> replayed =
        Optional.ofNullable(queue.replayed().uses().get(quota));
    double most =
        Stream.of(recorded, replayed)
            .flatMap(Optional::stream)
            .flatMap(use -> Stream.concat(Stream.of(use.nominal()), use.steps().values().stream()))
            .mapToDouble(BigDecimal::doubleValue)
            .max()
            .orElse(0);
    double scale = most <= 0 ? 0 : HEIGHT / most;
    int bottom = top + HEIGHT;
    StringBuilder panel = new StringBuilder();
    panel.append(
        "<text x=\"%d\" y=\"%d\">%s, %s</text>%n"
            .formatted(LEFT, top - 6, ReplayText.escaped(name), ReplayText.escaped(quota)));
    panel.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
            .formatted(
                LEFT - 6, top + 10, BigDecimal.valueOf(most).stripTrailingZeros().toPlainString()));
    panel.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>%n".formatted(LEFT - 6, bottom));
    panel.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#ccc\"/>%n"
            .formatted(LEFT, top, WIDTH, HEIGHT));
    replayed.ifPresent(
        use -> {
          String y = ReplayText.coordinate(bottom - use.nominal().doubleValue() * scale);
          panel.append(
              "<path d=\"M%d %s H%d\" stroke=\"#36c\" stroke-dasharray=\"4 4\" fill=\"none\"/>%n"
                  .formatted(LEFT, y, LEFT + WIDTH));
        });
    recorded.ifPresent(use -> panel.append(line(use, "#999", scale, bottom, extent)));
    replayed.ifPresent(use -> panel.append(line(use, "#36c", scale, bottom, extent)));
    return panel.toString();
  }

  private static String line(
      ReplayReport.QuotaUse use,
      String color,
      double scale,
      int bottom,
      RecordingReader.Extent extent) {
    double length = Math.max(1, Duration.between(extent.from(), extent.to()).toMillis());
    StringBuilder path = new StringBuilder("M%d %d".formatted(LEFT, bottom));
    for (Map.Entry<Instant, BigDecimal> step : thinned(use.steps(), extent).entrySet()) {
      double x =
          LEFT + WIDTH * (Duration.between(extent.from(), step.getKey()).toMillis() / length);
      path.append(" H")
          .append(ReplayText.coordinate(x))
          .append(" V")
          .append(ReplayText.coordinate(bottom - step.getValue().doubleValue() * scale));
    }
    return "<path d=\"%s H%d\" stroke=\"%s\" stroke-width=\"1.5\" fill=\"none\"/>%n"
        .formatted(path, LEFT + WIDTH, color);
  }

  /** The largest use of each part of the time, if there are more steps than a screen shows. */
  private static SortedMap<Instant, BigDecimal> thinned(
      SortedMap<Instant, BigDecimal> steps, RecordingReader.Extent extent) {
    if (steps.size() <= STEPS) {
      return steps;
    }
    long part = Math.max(1, Duration.between(extent.from(), extent.to()).toMillis() / STEPS);
    SortedMap<Instant, BigDecimal> thinned = new TreeMap<>();
    steps.forEach(
        (at, used) -> {
          long number = Duration.between(extent.from(), at).toMillis() / part;
          Instant start = extent.from().plusMillis(number * part);
          thinned.merge(start, used, BigDecimal::max);
          // The last of the part goes on into the next one.
          thinned.put(start.plusNanos(1), used);
        });
    return thinned;
  }
}
