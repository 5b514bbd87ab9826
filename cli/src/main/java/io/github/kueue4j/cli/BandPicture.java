// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.observe.explain.DurationText;
import io.github.kueue4j.observe.recording.ForecastOutcome;
import io.github.kueue4j.observe.recording.ForecastOutcome.BandPlace;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Forecasts and what came of them, as SVG: a grey bar for each band, in the order of the likely
 * times, and a dot where the wait ended: blue inside, orange outside. Minutes on a logarithmic
 * scale.
 */
final class BandPicture {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 320;
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final List<Duration> TICKS =
      List.of(
          SHORTEST,
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(30));

  private final List<ForecastOutcome> decided;
  private final double decades;

  private BandPicture(List<ForecastOutcome> outcomes) {
    decided =
        outcomes.stream()
            .filter(
                each ->
                    ForecastReplayText.DECIDED.contains(each.place())
                        && each.forecast().latest().isPresent())
            .sorted(
                Comparator.comparing(
                        (ForecastOutcome each) -> each.forecast().likely().orElseThrow())
                    .thenComparing(each -> each.forecast().latest().orElseThrow()))
            .toList();
    decades =
        decided.stream()
            .flatMap(each -> Stream.of(each.waited(), each.forecast().latest().orElseThrow()))
            .mapToDouble(BandPicture::decades)
            .max()
            .orElse(1);
  }

  /** The picture of these forecasts; those that tell nothing of a band with an end are left out. */
  static String svg(List<ForecastOutcome> outcomes) {
    return new BandPicture(outcomes).svg();
  }

  private static double decades(Duration time) {
    return Math.log10(Math.max(1, time.toMillis() / (double) SHORTEST.toMillis()));
  }

  private String svg() {
    long inside = decided.stream().filter(each -> each.place() == BandPlace.INSIDE).count();
    StringBuilder marks = new StringBuilder();
    for (Duration tick : TICKS) {
      if (decades(tick) <= decades) {
        marks.append(tick(tick));
      }
    }
    for (int index = 0; index < decided.size(); index++) {
      marks.append(forecast(decided.get(index), LEFT + WIDTH * (index + 0.5) / decided.size()));
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="%d" y="20">%d forecasts, the soonest first: the band grey; the wait blue where it was in the band (%d), orange where not</text>
        %s</svg>
        """
        .formatted(LEFT + WIDTH + 20, TOP + HEIGHT + 20, LEFT, decided.size(), inside, marks);
  }

  private String y(Duration time) {
    return ReplayText.coordinate(TOP + HEIGHT - HEIGHT * decades(time) / Math.max(1, decades));
  }

  private String tick(Duration time) {
    return """
        <path d="M%d %s h%d" stroke="#eee"/>
        <text x="%d" y="%s" text-anchor="end">%s</text>
        """
        .formatted(LEFT, y(time), WIDTH, LEFT - 6, y(time), DurationText.words(time));
  }

  private String forecast(ForecastOutcome outcome, double x) {
    return """
        <path d="M%1$s %2$s V%3$s" stroke="#bbb" stroke-width="%4$s"/>
        <circle cx="%1$s" cy="%5$s" r="2" fill="%6$s"/>
        """
        .formatted(
            ReplayText.coordinate(x),
            y(outcome.forecast().earliest().orElseThrow()),
            y(outcome.forecast().latest().orElseThrow()),
            ReplayText.coordinate(Math.min(4, 0.6 * WIDTH / decided.size())),
            y(outcome.waited()),
            outcome.place() == BandPlace.INSIDE ? "#36c" : "#e60");
  }
}
