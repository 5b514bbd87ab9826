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
package io.github.kueue4j.testkit.kinds;

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

  /** What a JSON value is called that doesn't fit a type; of a number that is one, which. */
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
