// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BoundedValuesTest {
  @Test
  void theFirstOnesAreToldApartAndKeepTheirNames() {
    BoundedValues values = new BoundedValues(2);

    assertThat(Stream.of("high", "low", "made-up", "high", "low", "").map(values::of))
        .isEqualTo(List.of("high", "low", "other", "high", "low", "other"));
  }

  @Test
  void aThousandInventedOnesMakeNoMoreSeriesThanTheLimit() {
    BoundedValues values = new BoundedValues(100);

    assertThat(IntStream.range(0, 1_000).mapToObj(i -> values.of("c" + i)).distinct()).hasSize(101);
  }
}
