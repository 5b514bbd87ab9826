// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of the fault matrix that {@code -Dkueue4j.faults.rows} names. */
class ChosenRowsTest {
  @Test
  void namesWithCommasBetweenThemAreRows() {
    assertThat(FaultMatrix.rows("CONFLICTS,TWO_LEADERS"))
        .containsExactlyInAnyOrder(FaultRow.CONFLICTS, FaultRow.TWO_LEADERS);
  }

  @Test
  void withoutNamesThereAreAll() {
    assertThat(FaultMatrix.rows("")).containsExactlyInAnyOrder(FaultRow.values());
  }

  /** Otherwise every row would be skipped, and the build green. */
  @ParameterizedTest
  @ValueSource(strings = {"CONFLICT", "conflicts", "CONFLICTS,", " CONFLICTS", ","})
  void anythingElseIsRefusedInOneLine(String names) {
    assertThatThrownBy(() -> FaultMatrix.rows(names))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("-Dkueue4j.faults.rows=" + names + " names no row")
        .hasMessageContaining("KILLED_PROCESSES, TWO_LEADERS")
        .hasMessageNotContaining("\n");
  }
}
