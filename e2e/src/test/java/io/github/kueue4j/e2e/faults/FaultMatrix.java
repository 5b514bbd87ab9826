// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The fault matrix: each fault strikes again and again while users create work. When it is over,
 * every Workload has been admitted and has finished, every Job has run, and a watch that no fault
 * disturbed has seen no promise broken: no quota given twice, no delay cut short.
 *
 * <p>Each row of a nightly build prints a line of the table in {@code docs/RELIABILITY.md}. Few
 * strikes in a build, many in a nightly one ({@code -Pnightly}).
 */
final class FaultMatrix {
  private static final int WORKLOADS = Nightly.bound(4, 10);
  private static final String ROWS_PROPERTY = "kueue4j.faults.rows";

  private FaultMatrix() {}

  /** What a row has seen. */
  private record Outcome(long injected, Report.Tally tally) {}

  /**
   * Lets this fault strike as often as this build wants it; skipped if {@code
   * -Dkueue4j.faults.rows} names others only.
   */
  static void nothingIsLost(FaultRow row, Path folder) throws InterruptedException {
    String wanted = System.getProperty(ROWS_PROPERTY, "");
    // Asked here, not where rows are listed: a row's seed depends on its place among all.
    assumeThat(wanted.isEmpty() || List.of(wanted.split(",")).contains(row.name()))
        .as("%s is %s", ROWS_PROPERTY, wanted)
        .isTrue();
    Outcome outcome = strike(row, folder, row.strikes());
    Notices.nightly(
        "| %s | %s | %d | %d | %d | %d | nothing |"
            .formatted(
                row.title(),
                row.injected(),
                outcome.injected(),
                outcome.tally().finished(),
                outcome.tally().reservations(),
                outcome.tally().versions()));
  }

  /** Lets this fault strike once. */
  static void nothingIsLostOnce(FaultRow row, Path folder) throws InterruptedException {
    strike(row, folder, 1);
  }

  private static Outcome strike(FaultRow row, Path folder, int strikes)
      throws InterruptedException {
    try (Scene scene = row.open(folder)) {
      long injected = 0;
      for (int strike = 1; strike <= strikes; strike++) {
        scene.storm().create(strike, WORKLOADS);
        injected += strike(row, scene);
        scene.calmDown();
      }
      scene
          .await()
          .alias("all have finished")
          .untilAsserted(
              () -> assertThat(scene.storm().finished()).as(() -> unfinished(scene)).isTrue());
      Report report = scene.storm().audit().of(scene.storm().frames());
      assertThat(report.violations()).filteredOn(row::judges).isEmpty();
      assertThat(report.tally().workloads()).isEqualTo(strikes * WORKLOADS);
      assertThat(report.tally().finished()).isEqualTo(strikes * WORKLOADS);
      assertThat(injected).isGreaterThanOrEqualTo(strikes);
      return new Outcome(injected, report.tally());
    }
  }

  /** One strike, until it has hit something; says how often it did. */
  private static long strike(FaultRow row, Scene scene) throws InterruptedException {
    Fault fault = scene.strike();
    scene.pass(row.lasts());
    scene.await().alias("it hits").until(() -> fault.hits() > 0);
    fault.close();
    return fault.hits();
  }

  private static String unfinished(Scene scene) {
    return "stuck:\n"
        + scene.storm().unfinished().stream().map(Frame::brief).collect(Collectors.joining("\n"));
  }
}
