// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * A column and how to fill it.
 *
 * @param priority 0 is always shown, more only in wide output
 */
record Column(
    String name, String type, String format, String description, int priority, Cell cell) {

  /** Computes a cell from an object. */
  @FunctionalInterface
  interface Cell {
    JsonNode of(ObjectNode object, Instant now);
  }
}
