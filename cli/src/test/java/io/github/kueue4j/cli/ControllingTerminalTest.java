// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControllingTerminalTest {
  @Test
  void readsTheSizeThatSttyPrints() {
    assertThat(ControllingTerminal.parse("24 80")).contains(new Terminal.Size(24, 80));
  }

  @Test
  void believesNoSizeThatIsNone() {
    assertThat(ControllingTerminal.parse("0 0")).isEmpty();
    assertThat(ControllingTerminal.parse("")).isEmpty();
    assertThat(ControllingTerminal.parse("24")).isEmpty();
    assertThat(ControllingTerminal.parse("24 80 1")).isEmpty();
  }
}
