// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows of the {@linkplain FaultMatrix fault matrix} that are about processes, ports, files, or
 * requests that no client of ours sends.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "requests, watches and reconciles fail under the faults")
class FaultMatrixInRealTimeTest {
  @ParameterizedTest
  @MethodSource("rows")
  void nothingIsLost(FaultRow row, @TempDir Path folder) throws InterruptedException {
    FaultMatrix.nothingIsLost(row, folder);
  }

  /** Those that start programs. */
  @Tag("landing")
  @ParameterizedTest
  @MethodSource("programs")
  void nothingIsLostByPrograms(FaultRow row, @TempDir Path folder) throws InterruptedException {
    FaultMatrix.nothingIsLost(row, folder);
  }

  /**
   * A build that doesn't name it leaves the two leaders out, who cost two more JVMs: {@code
   * StoppedLeaderTest} stops a leader's process, too, and in {@code TwoReplicasTest} the other
   * replica takes over.
   */
  static Stream<FaultRow> programs() {
    return FaultRow.ofPrograms()
        .filter(row -> row != FaultRow.TWO_LEADERS || Nightly.isOn() || FaultMatrix.isNamed(row));
  }

  static Stream<FaultRow> rows() {
    return FaultRow.overPorts();
  }
}
