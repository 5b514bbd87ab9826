// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a connection may have. */
class AddressRulesTest {

  private static InetAddress address(String literal) {
    return AddressRange.parse(literal).first();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, loopback",
    "127.255.0.3, loopback",
    "::1, loopback",
    "169.254.169.254, link-local",
    "fe80::1, link-local",
    "fd00:ec2::254, metadata",
    "fd00:ec2::23, metadata",
    "fd00:c1::a9fe:a9fe, metadata",
    "64:ff9b:1:ffff::1, NAT64",
    "100.100.100.200, metadata",
    "168.63.129.16, metadata",
    "0.0.0.0, unspecified",
    "0.1.2.3, unspecified",
    "::, unspecified",
    "224.0.0.1, multicast",
    "ff02::1, multicast",
    "255.255.255.255, reserved",
    "::ffff:127.0.0.1, loopback",
    "::127.0.0.1, loopback",
    "64:ff9b::169.254.169.254, link-local",
    "2002:7f00:1::, loopback"
  })
  void refusedByDefault(String literal, String what) {
    assertThat(AddressRules.defaults().refusal(address(literal)))
        .hasValueSatisfying(why -> assertThat(why).contains(what));
  }

  @Test
  void aMappedAddressThatJavaKeepsAsIPv6IsJudgedAsTheIPv4One() throws Exception {
    byte[] mapped = new byte[16];
    mapped[10] = mapped[11] = (byte) 0xff;
    mapped[12] = (byte) 169;
    mapped[13] = (byte) 254;
    mapped[14] = (byte) 169;
    mapped[15] = (byte) 254;

    assertThat(AddressRules.defaults().refusal(Inet6Address.getByAddress(null, mapped, -1)))
        .contains("a link-local address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.96.0.7", "172.31.1.1", "192.168.3.4", "100.64.1.1", "fd00::1"})
  void privateOnesAreAllowedUnlessToldOtherwise(String literal) {
    assertThat(AddressRules.defaults().refusal(address(literal))).isEmpty();
    assertThat(AddressRules.defaults().withoutPrivate().refusal(address(literal)))
        .contains("a private address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"198.18.0.1", "198.19.255.254"})
  void thoseForBenchmarksArePrivate(String literal) {
    assertThat(AddressRules.defaults().refusal(address(literal))).isEmpty();
    assertThat(AddressRules.defaults().withoutPrivate().refusal(address(literal)))
        .contains("an address for benchmarks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"93.184.215.14", "172.32.0.1", "2001:db8::1", "2606:4700::1111"})
  void publicOnesAreAllowed(String literal) {
    assertThat(AddressRules.defaults().withoutPrivate().refusal(address(literal))).isEmpty();
  }

  @Test
  void aRangeAllowsWhatLiesInIt() {
    AddressRules rules =
        AddressRules.defaults()
            .withoutPrivate()
            .allowing(AddressRange.parse("127.0.0.1"))
            .allowing(AddressRange.parse("10.4.0.0/15"))
            .allowing(AddressRange.parse("fd12::/17"));

    assertThat(rules.refusal(address("127.0.0.1"))).isEmpty();
    assertThat(rules.refusal(address("127.0.0.2"))).isPresent();
    assertThat(rules.refusal(address("10.5.255.255"))).isEmpty();
    assertThat(rules.refusal(address("10.6.0.0"))).isPresent();
    assertThat(rules.refusal(address("fd12:0:7fff::"))).isEmpty();
    assertThat(rules.refusal(address("fd12:0:8000::"))).isEmpty();
    assertThat(rules.refusal(address("fd12:8000::"))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "example.com", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "fd00::/129", "/8"})
  void whatIsNoRangeIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text));
  }
}
