// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The sample CustomResourceDefinitions in {@code shop.yaml}. */
final class Shop {
  private Shop() {}

  /** The definitions of Warehouse, Shelf and Order as YAML documents. */
  static String definitions() {
    try (InputStream in = Shop.class.getResourceAsStream("shop.yaml")) {
      if (in == null) {
        throw new IllegalStateException("the resource shop.yaml is missing from the tests");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the resource shop.yaml", e);
    }
  }
}
