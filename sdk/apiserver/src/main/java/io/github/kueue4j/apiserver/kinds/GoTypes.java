// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Set;

/**
 * Names of types in the decoder's messages. Texts of an own type, such as {@code v1.PullPolicy},
 * can't be told from plain ones by their message.
 */
final class GoTypes {
  private static final Set<String> NUMBERS = Set.of("int32", "int64", "float64");

  private GoTypes() {}

  /** The type of a single value of the field. */
  static String of(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING, ENUM -> "string";
      case BYTE_STRING -> "[]uint8";
      case BOOLEAN -> "bool";
      case INT -> "int32";
      case LONG -> "int64";
      case FLOAT, DOUBLE -> "float64";
      case MESSAGE -> of(field.getMessageType());
    };
  }

  /** {@code k8s.io.api.core.v1.Container} is {@code v1.Container}. */
  private static String of(Descriptor type) {
    String name = type.getFullName();
    int afterGroup = name.lastIndexOf('.', name.lastIndexOf('.') - 1);
    return name.substring(afterGroup + 1);
  }

  /** The type of a map with such values. */
  static String ofMap(FieldDescriptor element) {
    String values = of(element);
    return values.equals("resource.Quantity") ? "v1.ResourceList" : "map[string]" + values;
  }

  /** The name of a JSON value that doesn't fit a type; of a number that is one, which. */
  static String ofJson(JsonNode value, String type) {
    return switch (value.getNodeType()) {
      case NUMBER -> NUMBERS.contains(type) ? "number " + value.asText() : "number";
      case BOOLEAN -> "bool";
      case STRING -> "string";
      case ARRAY -> "array";
      case OBJECT -> "object";
      case NULL, MISSING, BINARY, POJO -> "null";
    };
  }
}
