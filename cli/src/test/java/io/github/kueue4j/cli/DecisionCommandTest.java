// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecisionCommandTest {

  /** The name of an Approval is that of its Workload, a hyphen, and what the API server adds. */
  @Test
  void aLongNameIsCutToTheBeginningOfAName() {
    assertThat(DecisionCommand.stem("job-train-5f2a1")).isEqualTo("job-train-5f2a1");
    assertThat(DecisionCommand.stem("a".repeat(56) + ".bcd")).isEqualTo("a".repeat(56));
    assertThat(DecisionCommand.stem("a".repeat(253))).hasSize(57);
  }
}
