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
package io.github.kueue4j.runtime;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Where an HTTP server listens.
 *
 * @param host a name or an IP address; empty for all interfaces
 * @param port 0 to 65535; 0 takes any free one
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
