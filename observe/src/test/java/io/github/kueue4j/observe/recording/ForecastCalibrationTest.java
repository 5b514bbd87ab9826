// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.SimulatedClasses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of forecasts, about eight in ten come true: that is what their band says. Days are recorded, and
 * when their Workloads get quota is asked with what was known then. Each day has its seed, so the
 * outcome is always the same. A nightly build measures what the guide says.
 */
@Simulated
@Tag("thorough")
class ForecastCalibrationTest {
  /** On the days 1 to 5 and above 100, the forecast was chosen. */
  private static final int FIRST_DAY = Nightly.bound(1, 6);

  private static final int DAYS = Nightly.bound(1, 15);
  private static final Duration LENGTH = Duration.ofHours(Nightly.bound(8, 24));

  /** The core takes longer than all others together. */
  private static final Set<CalibrationLoad> LOADS =
      Nightly.isOn()
          ? EnumSet.allOf(CalibrationLoad.class)
          : EnumSet.complementOf(EnumSet.of(CalibrationLoad.REAL_CORE));

  /** How many come for each that is asked about. */
  private static final int EVERY = Nightly.bound(8, 5);

  private static final Path GUIDE = Checkout.root().resolve("docs/guides/replay.md");
  private static final Path CHART = Checkout.root().resolve("docs/images/when-calibration.svg");
  private static final Path RESULT = Path.of("target/when-calibration.svg");

  /** Fewer tell little of lengths of which some are many times the mean. */
  private static final int FEW_FINISHED = 40;

  @Test
  void theBandHolds() throws IOException, InterruptedException {
    Map<CalibrationLoad, List<List<ForecastOutcome>>> outcomes =
        new EnumMap<>(CalibrationLoad.class);
    for (CalibrationLoad load : LOADS) {
      List<List<ForecastOutcome>> days = new ArrayList<>();
      for (int day = FIRST_DAY; day < FIRST_DAY + DAYS; day++) {
        days.add(
            ForecastReplay.of(
                new ByteArrayInputStream(load.recording(day, LENGTH)),
                Configuration.defaults(),
                load.every(EVERY)));
      }
      outcomes.put(load, days);
    }
    CalibrationReport report = report(outcomes);
    if (Nightly.isOn()) {
      System.out.println(report.table());
      Files.createDirectories(RESULT.getParent());
      Files.writeString(RESULT, report.chart());
    }

    assertThat(report.all().held())
        .as(report.table())
        .isBetween(
            (double) Nightly.bound(60, CalibrationReport.LEAST),
            (double) Nightly.bound(95, CalibrationReport.MOST));
    if (Nightly.isOn()) {
      assertEachLoadHolds(report);
      assertTheGuideSaysSo(report);
    }
  }

  private static CalibrationReport report(
      Map<CalibrationLoad, List<List<ForecastOutcome>>> outcomes) {
    CalibrationLoad uneven = CalibrationLoad.HEAVY_TAILED;
    return new CalibrationReport(
        outcomes.entrySet().stream()
            .map(load -> CalibrationRow.of(load.getKey().words(), load.getValue(), any -> true))
            .toList(),
        CalibrationRow.of(
            "%s: fewer than %d have finished".formatted(uneven.words(), FEW_FINISHED),
            outcomes.getOrDefault(uneven, List.of()),
            each -> each.forecast().finished().orElse(0) < FEW_FINISHED));
  }

  /** So many waits don't tell 75 % from what is nearer to it than twice the standard error. */
  private static void assertEachLoadHolds(CalibrationReport report) {
    assertThat(report.loads())
        .hasSameSizeAs(CalibrationLoad.values())
        .allSatisfy(
            load -> {
              assertThat(load.margin()).as("%s: few waits", load).isLessThan(8);
              assertThat(load.held())
                  .as(report.table())
                  .isBetween(
                      CalibrationReport.LEAST - load.margin(),
                      CalibrationReport.MOST + load.margin());
            });
  }

  private static void assertTheGuideSaysSo(CalibrationReport report) throws IOException {
    // In real time, the days of the core are others.
    if (SimulatedClasses.include(ForecastCalibrationTest.class)) {
      assertThat(Files.readString(GUIDE).contains(report.table()))
          .as("%s has the table%n%s", GUIDE, report.table())
          .isTrue();
      assertThat(CHART).as("a copy of %s", RESULT).hasSameTextualContentAs(RESULT);
    }
  }
}
