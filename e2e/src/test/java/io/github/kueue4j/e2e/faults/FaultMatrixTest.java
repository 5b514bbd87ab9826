// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The fault matrix: each fault strikes again and again while users create work. When it is over,
 * every Workload has been admitted and has finished, every Job has run, and a watch that no fault
 * disturbed has seen no promise broken: no quota given twice, no delay cut short.
 *
 * <p>Each row of a nightly build prints a line of the table in {@code docs/RELIABILITY.md}. Few
 * strikes in a build, many in a nightly one ({@code -Pnightly}).
 */
@Execution(ExecutionMode.CONCURRENT)
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "requests, watches and reconciles fail under the faults")
class FaultMatrixTest {
  private static final int WORKLOADS = Nightly.bound(4, 10);
  private static final Duration PATIENCE = Duration.ofMinutes(Nightly.bound(3, 20));

  /** Between two strikes. */
  private static final Duration CALM = Duration.ofMillis(300);

  /** Names of rows, with commas between them; empty for all. */
  private static final String ROWS = System.getProperty("kueue4j.faults.rows", "");

  @ParameterizedTest
  @EnumSource
  void nothingIsLost(FaultRow row, @TempDir Path folder) throws InterruptedException {
    assumeThat(ROWS.isEmpty() || List.of(ROWS.split(",")).contains(row.name()))
        .as("kueue4j.faults.rows is " + ROWS)
        .isTrue();
    try (Scene scene = row.open(folder)) {
      long injected = 0;
      for (int strike = 1; strike <= row.strikes(); strike++) {
        scene.storm().create(strike, WORKLOADS);
        injected += strike(row, scene);
        Scene.pass(CALM);
      }
      int workloads = row.strikes() * WORKLOADS;
      await()
          .alias("all have finished")
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(scene.storm().finished()).as(() -> unfinished(scene)).isTrue());
      Report report = scene.storm().audit().of(scene.storm().frames());
      Notices.nightly(
          "| %s | %s | %d | %d | %d | %d | nothing |"
              .formatted(
                  row.title(),
                  row.injected(),
                  injected,
                  report.tally().finished(),
                  report.tally().reservations(),
                  report.tally().versions()));
      assertThat(report.violations()).filteredOn(row::judges).isEmpty();
      assertThat(report.tally().workloads()).isEqualTo(workloads);
      assertThat(report.tally().finished()).isEqualTo(workloads);
      assertThat(injected).isGreaterThanOrEqualTo(row.strikes());
    }
  }

  /** One strike, until it has hit something; says how often it did. */
  private static long strike(FaultRow row, Scene scene) throws InterruptedException {
    Fault fault = scene.strike();
    Scene.pass(row.lasts());
    await().alias("it hits").atMost(PATIENCE).until(() -> fault.hits() > 0);
    fault.close();
    return fault.hits();
  }

  private static String unfinished(Scene scene) {
    return "stuck:\n"
        + scene.storm().unfinished().stream().map(Frame::brief).collect(Collectors.joining("\n"));
  }
}
