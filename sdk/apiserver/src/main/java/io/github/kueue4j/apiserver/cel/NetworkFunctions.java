// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import java.util.List;

/** Kubernetes' {@code ip} and {@code cidr} libraries. */
final class NetworkFunctions {

  private static final CelType IP = OpaqueType.create("net.IP");
  private static final CelType CIDR = OpaqueType.create("net.CIDR");
  private static final Argument TEXT = new Argument(SimpleType.STRING, String.class);
  private static final Argument ADDRESS = new Argument(IP, IpAddress.class);
  private static final Argument RANGE = new Argument(CIDR, Cidr.class);

  @Immutable
  private interface AddressTest {
    boolean test(IpAddress address);
  }

  private NetworkFunctions() {}

  static void addTo(FunctionSet set) {
    set.global(
        "isIP",
        "k8s_is_ip",
        SimpleType.BOOL,
        List.of(TEXT),
        a -> IpAddress.parse((String) a[0]).isPresent());
    set.global("ip", "k8s_ip", IP, List.of(TEXT), a -> ip((String) a[0]));
    set.global(
        "ip.isCanonical",
        "k8s_ip_is_canonical",
        SimpleType.BOOL,
        List.of(TEXT),
        a -> ip((String) a[0]).canonical().equals(a[0]));
    set.member(
        "family",
        "k8s_ip_family",
        SimpleType.INT,
        List.of(ADDRESS),
        a -> ((IpAddress) a[0]).family());
    test(set, "isUnspecified", ip -> ip.address().isAnyLocalAddress());
    test(set, "isLoopback", ip -> ip.address().isLoopbackAddress());
    test(set, "isLinkLocalUnicast", ip -> ip.address().isLinkLocalAddress());
    test(set, "isLinkLocalMulticast", IpAddress::isLinkLocalMulticast);
    test(set, "isGlobalUnicast", IpAddress::isGlobalUnicast);
    set.global(
        "string",
        "k8s_ip_to_string",
        SimpleType.STRING,
        List.of(ADDRESS),
        a -> ((IpAddress) a[0]).canonical());

    set.global(
        "isCIDR",
        "k8s_is_cidr",
        SimpleType.BOOL,
        List.of(TEXT),
        a -> Cidr.parse((String) a[0]).isPresent());
    set.global("cidr", "k8s_cidr", CIDR, List.of(TEXT), a -> cidr((String) a[0]));
    set.member(
        "containsIP",
        "k8s_cidr_contains_ip",
        SimpleType.BOOL,
        List.of(RANGE, ADDRESS),
        a -> ((Cidr) a[0]).contains((IpAddress) a[1]));
    set.member(
        "containsIP",
        "k8s_cidr_contains_ip_text",
        SimpleType.BOOL,
        List.of(RANGE, TEXT),
        a -> ((Cidr) a[0]).contains(ip((String) a[1])));
    set.member(
        "containsCIDR",
        "k8s_cidr_contains_cidr",
        SimpleType.BOOL,
        List.of(RANGE, RANGE),
        a -> ((Cidr) a[0]).contains((Cidr) a[1]));
    set.member(
        "containsCIDR",
        "k8s_cidr_contains_cidr_text",
        SimpleType.BOOL,
        List.of(RANGE, TEXT),
        a -> ((Cidr) a[0]).contains(cidr((String) a[1])));
    set.member("ip", "k8s_cidr_ip", IP, List.of(RANGE), a -> ((Cidr) a[0]).start());
    set.member("masked", "k8s_cidr_masked", CIDR, List.of(RANGE), a -> ((Cidr) a[0]).masked());
    set.member(
        "prefixLength",
        "k8s_cidr_prefix_length",
        SimpleType.INT,
        List.of(RANGE),
        a -> (long) ((Cidr) a[0]).bits());
  }

  private static void test(FunctionSet set, String name, AddressTest test) {
    set.member(
        name,
        "k8s_ip_" + name,
        SimpleType.BOOL,
        List.of(ADDRESS),
        a -> test.test((IpAddress) a[0]));
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("IP Address \"" + text + "\" parse error"));
  }

  private static Cidr cidr(String text) {
    return Cidr.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("CIDR \"" + text + "\" parse error"));
  }
}
