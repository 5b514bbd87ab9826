// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The IP addresses that an endpoint may have: the defence against an endpoint whose author means a
 * server that only the controller can reach (server-side request forgery). Judged is the address of
 * each connection when it is opened, so that a name that resolves differently the second time, or a
 * number in the URL, changes nothing.
 *
 * <p>Always refused, unless {@linkplain #allowing allowed} by a range of their own: loopback,
 * link-local (169.254.169.254 is where clouds hand out credentials), the other addresses of such
 * services, unspecified, multicast, broadcast and reserved ones. An IPv6 address that stands for an
 * IPv4 one (mapped, compatible, NAT64, 6to4) is judged as that one, too.
 *
 * <p>Private addresses are allowed by default: what a check asks is a Service of the cluster in
 * most cases, and endpoints are written by administrators. {@link #withoutPrivate} refuses them,
 * too.
 *
 * @param privateAllowed whether private addresses are allowed: RFC 1918, 100.64.0.0/10,
 *     198.18.0.0/15, fc00::/7
 * @param allowed ranges that are allowed whatever lies in them
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AddressRules(boolean privateAllowed, List<AddressRange> allowed) {

  private record Refused(AddressRange range, String what) {}

  private static final List<Refused> ALWAYS =
      List.of(
          refused("127.0.0.0/8", "a loopback address"),
          refused("::1/128", "a loopback address"),
          refused("169.254.0.0/16", "a link-local address"),
          refused("fe80::/10", "a link-local address"),
          refused("fec0::/10", "a site-local address"),
          refused("fd00:ec2::/32", "the address of a cloud's metadata service"),
          refused("fd00:c1::a9fe:a9fe/128", "the address of a cloud's metadata service"),
          refused("fd20:ce::254/128", "the address of a cloud's metadata service"),
          refused("100.100.100.200/32", "the address of a cloud's metadata service"),
          refused("168.63.129.16/32", "the address of a cloud's metadata service"),
          refused("64:ff9b:1::/48", "a NAT64 address of local use"),
          refused("192.0.0.0/24", "a reserved address"),
          refused("0.0.0.0/8", "an unspecified address"),
          refused("::/128", "an unspecified address"),
          refused("224.0.0.0/4", "a multicast address"),
          refused("ff00::/8", "a multicast address"),
          refused("240.0.0.0/4", "a reserved address"));

  private static final List<Refused> PRIVATE =
      List.of(
          refused("10.0.0.0/8", "a private address"),
          refused("172.16.0.0/12", "a private address"),
          refused("192.168.0.0/16", "a private address"),
          refused("100.64.0.0/10", "a private address"),
          refused("198.18.0.0/15", "an address for benchmarks"),
          refused("fc00::/7", "a private address"));

  /** An IPv6 range whose addresses hold an IPv4 address, from this byte on. */
  private record Embedding(AddressRange range, int at) {}

  private static final List<Embedding> EMBEDDINGS =
      List.of(
          new Embedding(new AddressRange(raw(mapped()), 96), 12),
          new Embedding(AddressRange.parse("::/96"), 12),
          new Embedding(AddressRange.parse("64:ff9b::/96"), 12),
          new Embedding(AddressRange.parse("2002::/16"), 2));

  /** Keeps a copy of the ranges. */
  public AddressRules {
    allowed = List.copyOf(allowed);
  }

  /** The default: private addresses are allowed. */
  public static AddressRules defaults() {
    return new AddressRules(true, List.of());
  }

  /** The same without private addresses: for endpoints outside of the cluster. */
  public AddressRules withoutPrivate() {
    return new AddressRules(false, allowed);
  }

  /** The same with this range allowed, for example a server beside the controller on loopback. */
  public AddressRules allowing(AddressRange range) {
    List<AddressRange> more = new ArrayList<>(allowed);
    more.add(range);
    return new AddressRules(privateAllowed, more);
  }

  /**
   * Why a connection to this address is refused, such as "a loopback address"; empty if it isn't.
   */
  public Optional<String> refusal(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (allowed.stream().anyMatch(range -> range.contains(bytes))) {
      return Optional.empty();
    }
    Optional<String> own = refusal(bytes);
    if (own.isPresent() || bytes.length == 4) {
      return own;
    }
    return EMBEDDINGS.stream()
        .filter(embedding -> embedding.range().contains(bytes))
        .map(embedding -> Arrays.copyOfRange(bytes, embedding.at(), embedding.at() + 4))
        .filter(inside -> allowed.stream().noneMatch(range -> range.contains(inside)))
        .flatMap(inside -> refusal(inside).stream())
        .findFirst();
  }

  private Optional<String> refusal(byte[] address) {
    Optional<String> always = first(ALWAYS, address);
    return always.isPresent() || privateAllowed ? always : first(PRIVATE, address);
  }

  private static Optional<String> first(List<Refused> refused, byte[] address) {
    return refused.stream()
        .filter(each -> each.range().contains(address))
        .map(Refused::what)
        .findFirst();
  }

  private static Refused refused(String range, String what) {
    return new Refused(AddressRange.parse(range), what);
  }

  /** {@code ::ffff:0:0}, which {@link InetAddress} would turn into an IPv4 address. */
  private static byte[] mapped() {
    byte[] bytes = new byte[16];
    bytes[10] = (byte) 0xff;
    bytes[11] = (byte) 0xff;
    return bytes;
  }

  private static InetAddress raw(byte[] bytes) {
    try {
      return Inet6Address.getByAddress(null, bytes, -1);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("16 bytes are an IPv6 address", e);
    }
  }
}
