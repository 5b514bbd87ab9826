// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The configuration of the view: a web page of queues and Workloads, and the JSON that it shows.
 *
 * @param address of its server; empty if it is off
 * @param secure whether it is served over HTTPS, to users that the API server authorizes; false
 *     only on the loopback address
 */
@API(status = API.Status.EXPERIMENTAL)
public record ViewSettings(Optional<HttpAddress> address, boolean secure) {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");

  public ViewSettings {
    if (!secure && address.filter(found -> !LOOPBACK.contains(found.host())).isPresent()) {
      throw new IllegalArgumentException(
          "serves anyone who reaches "
              + address.get()
              + "; set secureServing: true, or bind it to 127.0.0.1");
    }
  }

  /** A view for the users of this machine, on this port or any free one if that is 0. */
  public static ViewSettings onLoopback(int port) {
    return new ViewSettings(Optional.of(new HttpAddress("127.0.0.1", port)), false);
  }

  /** A copy with another address. */
  ViewSettings at(Optional<HttpAddress> other) {
    return new ViewSettings(other, secure);
  }

  static ViewSettings read(YamlBlock parent) {
    try (YamlBlock block = parent.block("view")) {
      Optional<HttpAddress> address = Addresses.read(block, "bindAddress", "");
      boolean secure = block.flag("secureServing", true);
      if (address.isEmpty()) {
        block.reportUnusedBut(Set.of("bindAddress"), "there is no bindAddress");
      }
      try {
        return new ViewSettings(address, secure);
      } catch (IllegalArgumentException e) {
        throw block.invalid("bindAddress", String.valueOf(e.getMessage()));
      }
    }
  }
}
