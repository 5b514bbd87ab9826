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
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Some quantities can't be written by the library, and equal ones have different hashes. */
class QuantityFormatTest {

  private static final BigDecimal THIRD =
      BigDecimal.ONE.divide(BigDecimal.valueOf(3), MathContext.DECIMAL128);

  @Test
  void theLibraryCanNotWriteAnExbibyteNorAThird() {
    var exbibyte = new io.kubernetes.client.custom.Quantity("1Ei");
    assertThatThrownBy(exbibyte::toSuffixedString).isInstanceOf(IllegalArgumentException.class);
    var third =
        new io.kubernetes.client.custom.Quantity(
            THIRD, io.kubernetes.client.custom.Quantity.Format.DECIMAL_SI);
    assertThatThrownBy(third::toSuffixedString).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLibrarysEqualQuantitiesGetLostInSets() {
    var one = new io.kubernetes.client.custom.Quantity("1");
    var thousandMilli = new io.kubernetes.client.custom.Quantity("1000m");
    assertThat(one).isEqualTo(thousandMilli);
    assertThat(one.hashCode()).as("hash of an equal value").isNotEqualTo(thousandMilli.hashCode());
  }

  @Test
  void oursWritesBothAndHashesByValue() {
    assertThat(Quantity.parse("1Ei")).hasToString("1Ei");
    // The API has nothing below a nano and rounds up.
    assertThat(Quantity.of(THIRD, Quantity.Format.DECIMAL_SI)).hasToString("333333334n");
    assertThat(Set.of(Quantity.parse("1"))).contains(Quantity.parse("1000m"));
  }
}
