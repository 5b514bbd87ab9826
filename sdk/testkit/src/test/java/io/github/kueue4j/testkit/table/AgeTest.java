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
package io.github.kueue4j.testkit.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S,0s",
    "PT119S,119s",
    "PT2M,2m",
    "PT2M5S,2m5s",
    "PT10M5S,10m",
    "PT179M,179m",
    "PT3H,3h",
    "PT7H59M,7h59m",
    "PT47H,47h",
    "P2D,2d",
    "P2DT3H,2d3h",
    "P8D,8d",
    "P729D,729d",
    "P731D,2y1d",
    "P3650D,10y",
    "PT-5S,<invalid>",
  })
  void isWrittenAsKubectlDoes(Duration age, String text) {
    assertThat(Age.of(age)).isEqualTo(text);
  }

  @Test
  void ofNothingIsUnknown() {
    assertThat(Age.since("", Instant.EPOCH)).isEqualTo("<unknown>");
    assertThat(Age.since("nonsense", Instant.EPOCH)).isEqualTo("<invalid>");
  }
}
