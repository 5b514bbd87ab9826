// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A range of IP addresses in CIDR notation: {@code 10.0.0.0/8}, {@code fd00::/8}, {@code
 * 127.0.0.1}.
 *
 * @param first the range's first address
 * @param prefix how many bits all addresses of the range share with it
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AddressRange(InetAddress first, int prefix) {

  /** Never a name, which would be looked up. */
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

  /**
   * @throws IllegalArgumentException if the prefix is longer than the address
   */
  public AddressRange {
    if (prefix < 0 || prefix > 8 * first.getAddress().length) {
      throw new IllegalArgumentException(
          "the prefix of "
              + first.getHostAddress()
              + '/'
              + prefix
              + " must be 0 to "
              + 8 * first.getAddress().length);
    }
  }

  /**
   * The range that a text stands for; a single address without a slash.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    try {
      if (LITERAL.matcher(address).matches()) {
        InetAddress first = InetAddress.getByName(address);
        return new AddressRange(
            first,
            slash < 0
                ? 8 * first.getAddress().length
                : Integer.parseInt(text.substring(slash + 1)));
      }
    } catch (UnknownHostException | NumberFormatException e) {
      throw new IllegalArgumentException(notARange(text), e);
    }
    throw new IllegalArgumentException(notARange(text));
  }

  private static String notARange(String text) {
    return "'" + text + "' is no range of IP addresses: write one such as 10.0.0.0/8 or fd00::/8";
  }

  /** Whether the address lies in the range; one of the other family never does. */
  boolean contains(byte[] address) {
    byte[] start = first.getAddress();
    if (start.length != address.length) {
      return false;
    }
    int whole = prefix / 8;
    for (int i = 0; i < whole; i++) {
      if (start[i] != address[i]) {
        return false;
      }
    }
    int rest = prefix % 8;
    return rest == 0 || ((start[whole] ^ address[whole]) & 0xff) >> (8 - rest) == 0;
  }

  @Override
  public String toString() {
    return first.getHostAddress() + '/' + prefix;
  }
}
