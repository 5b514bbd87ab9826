// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.kueue4j.apiserver.protobuf.ApiMessages;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.shape.MessageShape;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields and types of a built-in kind, read off its protobuf message, before the kind's other
 * rules: unknown fields are dropped and values refused that the real server could not decode.
 */
record TypedRules(Descriptor message, ObjectRules inner) implements ObjectRules {

  /** Outside the message: the type and the metadata, which has rules of its own. */
  private static final Set<String> EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

  @Override
  public List<String> unknownFields(ObjectNode incoming) {
    Walk walk = new Walk(false);
    walk.fields(message, incoming);
    return walk.unknown;
  }

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return inner.prepare(new Walk(true).fields(message, incoming));
  }

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    return inner.complete(object, old, now);
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    return inner.validate(object, old);
  }

  @Override
  public Shape shape() {
    return MessageShape.ofKind(message);
  }

  @Override
  public boolean countsGenerations() {
    return inner.countsGenerations();
  }

  /**
   * Where a value stands, in the words of the real decoder.
   *
   * @param struct the message that holds the field
   * @param path names of fields from the object down, without positions and keys
   */
  private record FieldPlace(String struct, String path) {
    FieldPlace child(Descriptor type, String field) {
      return new FieldPlace(type.getName(), path.isEmpty() ? field : path + "." + field);
    }
  }

  private static final class Walk {
    private final boolean checkTypes;
    private final List<String> unknown = new ArrayList<>();

    Walk(boolean checkTypes) {
      this.checkTypes = checkTypes;
    }

    /** A copy of the object without unknown fields and nulls. */
    ObjectNode fields(Descriptor type, ObjectNode object) {
      return fields(type, object, new FieldPlace(type.getName(), ""), "");
    }

    private ObjectNode fields(
        Descriptor type, ObjectNode object, FieldPlace fieldPlace, String path) {
      ObjectNode result = Trees.empty();
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        String name = entry.getKey();
        JsonNode value = entry.getValue();
        String at = path.isEmpty() ? name : path + "." + name;
        Optional<FieldDescriptor> field =
            path.isEmpty() && EVERY_OBJECT.contains(name)
                ? Optional.empty()
                : ApiMessages.field(type, name);
        JsonNode kept = value;
        if (field.isPresent()) {
          kept =
              value.isNull() ? null : field(field.get(), value, fieldPlace.child(type, name), at);
        } else if (!(path.isEmpty() && EVERY_OBJECT.contains(name))
            && !ApiMessages.isNewer(type, name)) {
          unknown.add(at);
          kept = null;
        }
        if (kept != null) {
          result.set(name, kept);
        }
      }
      return result;
    }

    private JsonNode field(
        FieldDescriptor field, JsonNode value, FieldPlace fieldPlace, String path) {
      if (field.isMapField()) {
        return map(field.getMessageType().findFieldByName("value"), value, fieldPlace, path);
      }
      return field.isRepeated()
          ? list(field, value, fieldPlace, path)
          : single(field, value, fieldPlace, path);
    }

    private JsonNode map(
        FieldDescriptor element, JsonNode map, FieldPlace fieldPlace, String path) {
      if (!(map instanceof ObjectNode entries)) {
        return wrong(map, fieldPlace, GoTypes.ofMap(element));
      }
      ObjectNode result = Trees.empty();
      for (Map.Entry<String, JsonNode> entry : entries.properties()) {
        JsonNode kept = single(element, entry.getValue(), fieldPlace, path + "." + entry.getKey());
        result.set(entry.getKey(), kept);
      }
      return result;
    }

    private JsonNode list(
        FieldDescriptor field, JsonNode list, FieldPlace fieldPlace, String path) {
      // A list of lists is a message with one repeated field in protobuf.
      if (!list.isArray()) {
        return wrong(list, fieldPlace, "[]" + GoTypes.of(field));
      }
      ArrayNode result = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < list.size(); i++) {
        result.add(single(field, list.get(i), fieldPlace, path + "[" + i + "]"));
      }
      return result;
    }

    private JsonNode single(
        FieldDescriptor field, JsonNode value, FieldPlace fieldPlace, String path) {
      if (value.isNull()) {
        return value;
      }
      if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        return scalar(field, value, fieldPlace);
      }
      Descriptor type = field.getMessageType();
      return switch (type.getName()) {
        // The API answers with texts only, whatever form was sent.
        case "Quantity" ->
            checked(
                value.isNumber() ? JsonNodeFactory.instance.textNode(value.asText()) : value,
                WireTexts::quantityProblem);
        case "IntOrString" ->
            value.isTextual() || (value.canConvertToInt() && value.isIntegralNumber())
                ? value
                : wrong(value, "Go value", "int32");
        case "Time" -> time(value, WireTexts::timeProblem);
        case "MicroTime" -> time(value, WireTexts::microTimeProblem);
        case "RawExtension", "FieldsV1", "JSON", "Duration", "ObjectMeta", "ExtraValue" -> value;
        default ->
            value instanceof ObjectNode object
                ? fields(type, object, fieldPlace, path)
                : wrong(value, fieldPlace, GoTypes.of(field));
      };
    }

    private JsonNode scalar(FieldDescriptor field, JsonNode value, FieldPlace fieldPlace) {
      boolean fits =
          switch (field.getJavaType()) {
            case STRING, BYTE_STRING, ENUM -> value.isTextual();
            case BOOLEAN -> value.isBoolean();
            case INT -> value.isIntegralNumber() && value.canConvertToInt();
            case LONG -> value.isIntegralNumber() && value.canConvertToLong();
            case FLOAT, DOUBLE -> value.isNumber();
            case MESSAGE -> true;
          };
      if (!fits) {
        return wrong(value, fieldPlace, GoTypes.of(field));
      }
      return field.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING
          ? checked(value, WireTexts::base64Problem)
          : value;
    }

    private JsonNode time(JsonNode value, Function<String, Optional<String>> problem) {
      return value.isTextual() ? checked(value, problem) : wrong(value, "Go value", "string");
    }

    private JsonNode checked(JsonNode value, Function<String, Optional<String>> problem) {
      if (checkTypes) {
        problem
            .apply(value.asText())
            .ifPresent(
                text -> {
                  throw new UndecodableException(text);
                });
      }
      return value;
    }

    private JsonNode wrong(JsonNode value, FieldPlace fieldPlace, String type) {
      return wrong(value, "Go struct field " + fieldPlace.struct() + "." + fieldPlace.path(), type);
    }

    private JsonNode wrong(JsonNode value, String where, String type) {
      if (!checkTypes) {
        return value;
      }
      throw new UndecodableException(
          "json: cannot unmarshal %s into %s of type %s"
              .formatted(GoTypes.ofJson(value, type), where, type));
    }
  }
}
