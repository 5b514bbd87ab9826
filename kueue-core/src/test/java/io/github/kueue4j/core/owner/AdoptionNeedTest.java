// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdoptionNeedTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          above,     eligible, suspended, at rest, need
          NONE,    true,     true,      true,    WORKLOAD
          NONE,    true,     true,      false,   STOP
          NONE,    true,     false,     false,   STOP
          NONE,    false,    true,      true,    NOTHING
          NONE,    false,    false,     false,   NOTHING
          RUNNING,   true,     false,     false,   NOTHING
          RUNNING,   true,     true,      true,    NOTHING
          RUNNING,   false,    false,     false,   NOTHING
          SUSPENDED, true,     true,      true,    NOTHING
          SUSPENDED, true,     false,     false,   SUSPENSION
          SUSPENDED, false,    false,     false,   SUSPENSION
          SUSPENDED, false,    true,      false,   NOTHING
          """)
  void isJudgedByWhatIsKnown(
      Ancestors.Above above,
      boolean eligible,
      boolean suspended,
      boolean atRest,
      AdoptionNeed need) {
    assertThat(AdoptionNeed.of(above, eligible, suspended, atRest)).isEqualTo(need);
  }
}
