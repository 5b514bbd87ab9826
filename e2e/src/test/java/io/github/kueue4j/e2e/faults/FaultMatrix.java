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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    assumeThat(rows(wanted)).as("%s is %s", ROWS_PROPERTY, wanted).contains(row);
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

  /** Whether {@code -Dkueue4j.faults.rows} names this row. */
  static boolean isNamed(FaultRow row) {
    String wanted = System.getProperty(ROWS_PROPERTY, "");
    return !wanted.isEmpty() && rows(wanted).contains(row);
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

  /**
   * The rows of these names.
   *
   * @param names with commas between them; empty for all
   * @throws IllegalArgumentException if one of them names no row; the message is one line
   */
  static Set<FaultRow> rows(String names) {
    if (names.isEmpty()) {
      return EnumSet.allOf(FaultRow.class);
    }
    Set<FaultRow> rows = EnumSet.noneOf(FaultRow.class);
    for (String name : names.split(",", -1)) {
      rows.add(
          Stream.of(FaultRow.values())
              .filter(row -> row.name().equals(name))
              .findFirst()
              .orElseThrow(() -> noRow(names)));
    }
    return rows;
  }

  private static IllegalArgumentException noRow(String names) {
    return new IllegalArgumentException(
        "-D%s=%s names no row; write names of %s, with commas between them"
            .formatted(ROWS_PROPERTY, names, Arrays.toString(FaultRow.values())));
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
