// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.simulation.Simulation;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault that can be simulated strikes once, with many seeds. */
@Tag("nightly")
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "requests, watches and reconciles fail under the faults")
@Tag("simulates")
class FaultSeedsTest {
  @ParameterizedTest
  @MethodSource("rows")
  void nothingIsLostWhateverTheSeed(FaultRow row, @TempDir Path folder) throws Exception {
    Seeds.each(Nightly.bound(3, 20), simulation -> live(simulation, row, folder));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aSeedRepeatsItsOrderExactly(FaultRow row, @TempDir Path folder) throws Exception {
    Seeds.each(
        1,
        one -> {
          try (Simulation other = Simulation.of(one.seed())) {
            live(one, row, folder);
            live(other, row, folder);
            assertThat(other.trace()).isEqualTo(one.trace());
          }
        });
  }

  private static void live(Simulation simulation, FaultRow row, Path folder) throws Exception {
    simulation.run(
        "test",
        () -> {
          FaultMatrix.nothingIsLostOnce(row, folder);
          return row;
        });
  }

  static Stream<FaultRow> rows() {
    return FaultRow.simulated();
  }
}
