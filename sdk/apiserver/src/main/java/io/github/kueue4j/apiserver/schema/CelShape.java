// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.github.kueue4j.api.time.GoDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How rules see the values of a schema level: their CEL type, and how JSON becomes such a value.
 * Objects stay JSON and are looked into only where a rule looks.
 */
sealed interface CelShape {

  CelType type();

  /** The value for CEL; {@code json} is not null. */
  default Object toCel(JsonNode json) {
    return json.isNull() ? NullValue.NULL_VALUE : present(json);
  }

  Object present(JsonNode json);

  /** An object with declared properties. */
  final class Struct implements CelShape {
    private final StructType type;
    private final Map<String, Property> properties;

    /**
     * @param position among the properties of its object
     */
    record Property(int position, String name, CelShape shape) {}

    // The map is a private copy that is never changed.
    @SuppressWarnings("Immutable")
    Struct(String typeName, Map<String, Property> properties) {
      Map<String, Property> known = Map.copyOf(properties);
      this.properties = known;
      this.type =
          StructType.create(
              typeName,
              ImmutableSet.copyOf(properties.keySet()),
              field ->
                  Optional.ofNullable(known.get(field)).map(property -> property.shape().type()));
    }

    @Nullable Property property(String nameInCel) {
      return properties.get(nameInCel);
    }

    int size() {
      return properties.size();
    }

    @Override
    public StructType type() {
      return type;
    }

    @Override
    public Object present(JsonNode json) {
      return json instanceof ObjectNode object ? new CelObject(this, object) : untyped(json);
    }
  }

  /** A map with values of one shape. */
  record Dictionary(CelShape values, CelType type) implements CelShape {
    static Dictionary of(CelShape values) {
      return new Dictionary(values, MapType.create(SimpleType.STRING, values.type()));
    }

    @Override
    public Object present(JsonNode json) {
      if (!(json instanceof ObjectNode object)) {
        return untyped(json);
      }
      Map<String, Object> map = LinkedHashMap.newLinkedHashMap(object.size());
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        map.put(entry.getKey(), values.toCel(entry.getValue()));
      }
      return Collections.unmodifiableMap(map);
    }
  }

  /** A list with elements of one shape. */
  record Sequence(CelShape elements, CelType type) implements CelShape {
    static Sequence of(CelShape elements) {
      return new Sequence(elements, ListType.create(elements.type()));
    }

    @Override
    public Object present(JsonNode json) {
      if (!(json instanceof ArrayNode array)) {
        return untyped(json);
      }
      List<Object> list = new ArrayList<>(array.size());
      for (JsonNode element : array) {
        list.add(elements.toCel(element));
      }
      return Collections.unmodifiableList(list);
    }
  }

  /** A value without parts. */
  enum Scalar implements CelShape {
    TEXT(SimpleType.STRING),
    BYTES(SimpleType.BYTES),
    TIMESTAMP(SimpleType.TIMESTAMP),
    DATE(SimpleType.TIMESTAMP),
    DURATION(SimpleType.DURATION),
    INTEGER(SimpleType.INT),
    NUMBER(SimpleType.DOUBLE),
    BOOLEAN(SimpleType.BOOL),
    INT_OR_STRING(SimpleType.DYN);

    private final CelType type;

    Scalar(CelType type) {
      this.type = type;
    }

    @Override
    public CelType type() {
      return type;
    }

    @Override
    public Object present(JsonNode json) {
      return switch (this) {
        case TEXT, INT_OR_STRING, BOOLEAN -> untyped(json);
        case INTEGER -> json.isNumber() ? json.longValue() : untyped(json);
        case NUMBER -> json.isNumber() ? json.doubleValue() : untyped(json);
        case BYTES, TIMESTAMP, DATE, DURATION -> parse(json);
      };
    }

    /** Text that doesn't have its format stays text: the format's own error is reported anyway. */
    private Object parse(JsonNode json) {
      String text = json.asText();
      try {
        return switch (this) {
          case BYTES -> CelByteString.of(Base64.getDecoder().decode(text));
          case TIMESTAMP -> OffsetDateTime.parse(text).toInstant();
          case DATE -> LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
          default -> duration(text);
        };
      } catch (DateTimeException | IllegalArgumentException e) {
        return text;
      }
    }

    private static Duration duration(String text) {
      return GoDuration.parse(text);
    }
  }

  /** The value of something without a schema. */
  private static Object untyped(JsonNode json) {
    return switch (json.getNodeType()) {
      case STRING -> json.textValue();
      case BOOLEAN -> json.booleanValue();
      case NUMBER ->
          JsonType.isInteger(json) ? (Object) json.longValue() : (Object) json.doubleValue();
      case ARRAY -> {
        List<Object> list = new ArrayList<>(json.size());
        json.forEach(element -> list.add(untyped(element)));
        yield list;
      }
      case OBJECT -> {
        Map<String, Object> map = new HashMap<>();
        json.properties().forEach(entry -> map.put(entry.getKey(), untyped(entry.getValue())));
        yield map;
      }
      case NULL, MISSING, BINARY, POJO -> NullValue.NULL_VALUE;
    };
  }
}
