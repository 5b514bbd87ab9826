// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonObject;

/** Converts one kind between versions, except for {@code apiVersion}. */
interface KindConversion {
  /** Converts {@code v1beta1} to {@code v1beta2}, in place. */
  default void upgrade(JsonObject object) {}

  /** Converts {@code v1beta2} to {@code v1beta1}, in place. */
  default void downgrade(JsonObject object) {}
}
