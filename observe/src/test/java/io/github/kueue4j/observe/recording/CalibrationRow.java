// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.observe.recording.ForecastOutcome.BandPlace;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How often the band held on the days of a load.
 *
 * @param days how many waits were where, day by day
 */
record CalibrationRow(String load, List<Map<BandPlace, Integer>> days) {
  CalibrationRow {
    days = List.copyOf(days);
  }

  /** The row of these forecasts, day by day. */
  static CalibrationRow of(
      String load, List<List<ForecastOutcome>> days, Predicate<ForecastOutcome> counts) {
    return new CalibrationRow(
        load,
        days.stream()
            .map(
                day ->
                    day.stream()
                        .filter(counts)
                        .collect(Collectors.toMap(ForecastOutcome::place, any -> 1, Integer::sum)))
            .toList());
  }

  int count(BandPlace place) {
    return days.stream().mapToInt(day -> count(day, place)).sum();
  }

  private static int count(Map<BandPlace, Integer> day, BandPlace place) {
    return day.getOrDefault(place, 0);
  }

  private static int decided(Map<BandPlace, Integer> day) {
    return Stream.of(BandPlace.EARLIER, BandPlace.INSIDE, BandPlace.LATER)
        .mapToInt(place -> count(day, place))
        .sum();
  }

  int asked() {
    return days.stream().flatMap(day -> day.values().stream()).mapToInt(each -> each).sum();
  }

  /** How often the band held, in words. */
  String words() {
    return "%d %% ± %d".formatted(Math.round(held()), Math.round(margin()));
  }

  /** The waits that tell of the band. */
  private int decided() {
    return days.stream().mapToInt(CalibrationRow::decided).sum();
  }

  /** In how many of a hundred waits the band held. */
  double held() {
    return 100.0 * count(BandPlace.INSIDE) / Math.max(1, decided());
  }

  /**
   * Twice the standard error of {@link #held}. The waits of one day depend on each other, so that
   * it is taken from how much the days differ (the ratio estimator of cluster sampling).
   */
  double margin() {
    double squares =
        days.stream()
            .mapToDouble(day -> count(day, BandPlace.INSIDE) - held() / 100 * decided(day))
            .map(residual -> residual * residual)
            .sum();
    double few = days.size() / (double) Math.max(1, days.size() - 1);
    return 200 * Math.sqrt(few * squares) / Math.max(1, decided());
  }
}
