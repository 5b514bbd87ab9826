// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types that a structural schema can give to a value. */
enum JsonType {
  OBJECT,
  ARRAY,
  STRING,
  INTEGER,
  NUMBER,
  BOOLEAN;

  static @Nullable JsonType named(String name) {
    return switch (name) {
      case "object" -> OBJECT;
      case "array" -> ARRAY;
      case "string" -> STRING;
      case "integer" -> INTEGER;
      case "number" -> NUMBER;
      case "boolean" -> BOOLEAN;
      default -> null;
    };
  }

  /** The schema's word for it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean matches(JsonNode value) {
    return switch (this) {
      case OBJECT -> value.isObject();
      case ARRAY -> value.isArray();
      case STRING -> value.isTextual();
      case INTEGER -> isInteger(value);
      case NUMBER -> value.isNumber();
      case BOOLEAN -> value.isBoolean();
    };
  }

  /** Also 3.0 is an integer, as for the API. */
  static boolean isInteger(JsonNode value) {
    if (value.isIntegralNumber()) {
      return true;
    }
    if (!value.isNumber()) {
      return false;
    }
    BigDecimal number = value.decimalValue();
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }

  /** The word of the API for the type of a value that doesn't fit. */
  static String wordFor(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT, POJO -> "object";
      case ARRAY -> "array";
      case STRING, BINARY -> "string";
      case BOOLEAN -> "boolean";
      case NUMBER -> isInteger(value) ? "integer" : "number";
      case NULL, MISSING -> "null";
    };
  }
}
