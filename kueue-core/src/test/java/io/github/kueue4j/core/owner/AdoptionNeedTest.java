/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
          NOBODY,    true,     true,      true,    WORKLOAD
          NOBODY,    true,     true,      false,   STOP
          NOBODY,    true,     false,     false,   STOP
          NOBODY,    false,    true,      true,    NOTHING
          NOBODY,    false,    false,     false,   NOTHING
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
