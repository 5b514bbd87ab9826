// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "::1, ::1",
    "::, ::",
    "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "fe80:0:0:0:0:0:0:0, fe80::",
  })
  void writesTheCanonicalForm(String text, String canonical) {
    assertThat(IpAddress.parse(text)).get().extracting(IpAddress::canonical).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.2.3",
        "01.2.3.4",
        "256.1.1.1",
        "localhost",
        "::ffff:1.2.3.4",
        "fe80::1%eth0",
        ":::",
        "a"
      })
  void refusesWhatIsNoAddress(String text) {
    assertThat(IpAddress.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "10.1.2.3/32, 10.1.2.3, true",
    "0.0.0.0/0, 8.8.8.8, true",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
    "10.0.0.0/8, ::1, false",
  })
  void containsAddresses(String range, String address, boolean contained) {
    Cidr cidr = Cidr.parse(range).orElseThrow();

    assertThat(cidr.contains(IpAddress.parse(address).orElseThrow())).isEqualTo(contained);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "x/8", "10.0.0.0/", "::/129"})
  void refusesWhatIsNoRange(String text) {
    assertThat(Cidr.parse(text)).isEmpty();
  }
}
