// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * An address range such as 10.0.0.0/8.
 *
 * @param bits length of the prefix, 0 to 32 or 128
 */
@API(status = API.Status.INTERNAL)
public record Cidr(IpAddress start, int bits) {

  private static final Pattern BITS = Pattern.compile("0|[1-9][0-9]{0,2}");

  /** Reads a range. */
  public static Optional<Cidr> parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !BITS.matcher(text.substring(slash + 1)).matches()) {
      return Optional.empty();
    }
    int bits = Integer.parseInt(text.substring(slash + 1));
    return IpAddress.parse(text.substring(0, slash))
        .filter(start -> bits <= (start.isIpv4() ? 32 : 128))
        .map(start -> new Cidr(start, bits));
  }

  boolean contains(IpAddress address) {
    return address.isIpv4() == start.isIpv4()
        && mask(address.address()).equals(mask(start.address()));
  }

  boolean contains(Cidr other) {
    return other.bits >= bits && contains(other.start);
  }

  Cidr masked() {
    return new Cidr(new IpAddress(mask(start.address())), bits);
  }

  private InetAddress mask(InetAddress address) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(bits - 8L * i, 0, 8);
      bytes[i] = (byte) (bytes[i] & (0xff << (8 - kept)));
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address kept its length, yet it is none: " + address, e);
    }
  }
}
