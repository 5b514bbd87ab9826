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
package io.github.kueue4j.core.config;

import io.github.kueue4j.runtime.HttpAddress;
import java.util.Optional;

/** Keys that say where something is served. */
final class Addresses {
  private static final String NOT_SERVED = "0";

  private Addresses() {}

  /** The address at a key; empty if it is served nowhere. */
  static Optional<HttpAddress> read(ConfigurationBlock block, String key, String fallback) {
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
