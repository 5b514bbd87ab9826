// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The address that an HTTP server listens on.
 *
 * @param host a name or an IP address; empty for all interfaces
 * @param port 0 to 65535; 0 for any free port
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpAddress(String host, int port) {
  private static final Pattern TEXT = Pattern.compile("(?:\\[([^\\]]+)]|([^:]*)):(\\d{1,5})");
  private static final int HIGHEST_PORT = 65_535;

  /** Checks the port. */
  public HttpAddress {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException("port must be 0 to 65535 but is " + port);
    }
  }

  /** A port on all interfaces. */
  public static HttpAddress anyInterface(int port) {
    return new HttpAddress("", port);
  }

  /**
   * Reads {@code :8081}, {@code 127.0.0.1:8081} or {@code [::1]:8081}.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  public static HttpAddress parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no address to listen on; write \":8081\" or \"127.0.0.1:8081\"");
    }
    String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    return new HttpAddress(host, Integer.parseInt(matcher.group(3)));
  }

  public InetSocketAddress socket() {
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
