// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

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
  void isUsedForTheExecutionTimeOfAJob(String label, Integer expected) {
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
