// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table = new Table(List.of("NAME", "PHASE", "WHY"));

  @Test
  void alignsColumnsAndKeepsTheirWidths() {
    assertThat(table.lines(List.of(List.of("training", "Queued", ""), List.of("a", "Held", "x"))))
        .containsExactly(
            "NAME       PHASE    WHY", //
            "training   Queued",
            "a          Held     x");
    assertThat(table.more(List.of(List.of("b", "Finished", "y"))))
        .containsExactly("b          Finished   y");
  }

  @Test
  void refusesARowWithOtherColumns() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.more(List.of(List.of("a"))))
        .withMessageContaining("1 cells");
  }
}
