// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
    // The API's finest unit is a nano; it rounds up.
    assertThat(Quantity.of(THIRD, Quantity.Format.DECIMAL_SI)).hasToString("333333334n");
    assertThat(Set.of(Quantity.parse("1"))).contains(Quantity.parse("1000m"));
  }
}
