// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.util.Optional;

/** Reads keys with the address of a server. */
final class Addresses {
  private static final String NOT_SERVED = "0";

  private Addresses() {}

  /** The address at a key; empty if serving is off. */
  static Optional<HttpAddress> read(YamlBlock block, String key, String fallback) {
    String address = block.text(key, fallback);
    if (address.isEmpty() || address.equals(NOT_SERVED)) {
      return Optional.empty();
    }
    try {
      return Optional.of(HttpAddress.parse(address));
    } catch (IllegalArgumentException e) {
      throw block.invalid(
          key, "is \"" + address + "\", without a port; write \":8081\", or \"0\" for none");
    }
  }
}
