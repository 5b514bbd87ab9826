// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** An IP address in the strict textual forms that the API takes; no zones, no mapped IPv4. */
@API(status = API.Status.INTERNAL)
public record IpAddress(InetAddress address) {

  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /** Reads an address; never asks a name service. */
  public static Optional<IpAddress> parse(String text) {
    boolean six = IPV6.matcher(text).matches();
    if (!six && !IPV4.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(text);
      boolean mapped = six && address.getAddress().length == 4;
      return mapped ? Optional.empty() : Optional.of(new IpAddress(address));
    } catch (UnknownHostException e) {
      // Texts that resemble an IPv6 address and are none.
      return Optional.empty();
    }
  }

  /** Whether it is an IPv4 address. */
  public boolean isIpv4() {
    return address.getAddress().length == 4;
  }

  long family() {
    return isIpv4() ? 4 : 6;
  }

  boolean isGlobalUnicast() {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !(isIpv4() && address.getHostAddress().equals("255.255.255.255"));
  }

  boolean isLinkLocalMulticast() {
    return address.isMulticastAddress()
        && (isIpv4()
            ? address.getHostAddress().startsWith("224.0.0.")
            : (address.getAddress()[1] & 0x0f) == 2);
  }

  /** The shortest form, RFC 5952. */
  String canonical() {
    if (isIpv4()) {
      return address.getHostAddress();
    }
    byte[] bytes = address.getAddress();
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
    }
    int best = -1;
    int length = 1;
    for (int start = 0; start < 8; start++) {
      int end = start;
      while (end < 8 && groups[end] == 0) {
        end++;
      }
      if (end - start > length) {
        best = start;
        length = end - start;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == best) {
        text.append("::");
        i += length - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
