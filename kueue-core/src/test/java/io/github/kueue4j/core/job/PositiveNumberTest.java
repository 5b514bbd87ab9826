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
package io.github.kueue4j.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PositiveNumberTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "007, 7",
    "2147483647, 2147483647",
    "00000000000000000012, 12",
    "2147483648, ",
    "99999999999999999999, ",
    "0, ",
    "000, ",
    "-1, ",
    "+1, ",
    "1.0, ",
    "'1 ', ",
    "'', ",
    "ten, ",
    "\u0663, "
  })
  void isWrittenInDecimalDigits(String text, Integer expected) {
    assertThat(PositiveNumber.read(text)).isEqualTo(Optional.ofNullable(expected));
  }

  @ParameterizedTest
  @CsvSource({"3600, 3600", "007, 7", "1234567890, 1234567890", "2147483648, ", "soon, "})
  void isWhatTheExecutionTimeOfAJobIsTakenFor(String label, Integer expected) {
    V1Job job =
        KueueJson.fromTree(
            KueueJson.toTree(
                Map.of(
                    "metadata",
                    Map.of("labels", Map.of("kueue.x-k8s.io/max-exec-time-seconds", label)))),
            V1Job.class);

    assertThat(JobWorkload.maximumExecutionTime(job)).isEqualTo(Optional.ofNullable(expected));
  }
}
