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
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.kueue4j.testkit.protobuf.ApiMessages;
import io.github.kueue4j.testkit.schema.FieldError;
import io.github.kueue4j.testkit.status.ApiErrors;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields and types of a built-in kind, read off its protobuf message, before the kind's other
 * rules: unknown fields are dropped and values of the wrong JSON type refused.
 */
record TypedRules(String version, String kind, Descriptor message, ObjectRules inner)
    implements ObjectRules {

  /** Outside the message: the type and the metadata, which has rules of its own. */
  private static final Set<String> EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

  /** Fields of newer servers that the published messages don't have yet. */
  private static final Map<String, Set<String>> NEWER =
      Map.of(
          "PodSpec", Set.of("resources", "hostnameOverride"),
          "PodStatus", Set.of("observedGeneration", "extendedResourceClaimStatus"),
          "PodCondition", Set.of("observedGeneration"),
          "Container", Set.of("restartPolicyRules"),
          "ContainerStatus", Set.of("stopSignal"),
          "Lifecycle", Set.of("stopSignal"),
          "NodeStatus", Set.of("features", "declaredFeatures"),
          "DeploymentStatus", Set.of("terminatingReplicas"),
          "ReplicaSetStatus", Set.of("terminatingReplicas"));

  @Override
  public List<String> unknownFields(ObjectNode incoming) {
    Walk walk = new Walk(false);
    walk.fields(message, incoming, "");
    return walk.unknown;
  }

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return inner.prepare(new Walk(true).fields(message, incoming, ""));
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
  public boolean countsGenerations() {
    return inner.countsGenerations();
  }

  private final class Walk {
    private final boolean checkTypes;
    private final List<String> unknown = new ArrayList<>();

    Walk(boolean checkTypes) {
      this.checkTypes = checkTypes;
    }

    /** A copy of the object without unknown fields and nulls. */
    ObjectNode fields(Descriptor type, ObjectNode object, String path) {
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
          kept = value.isNull() ? null : field(field.get(), value, at);
        } else if (!(path.isEmpty() && EVERY_OBJECT.contains(name))
            && !NEWER.getOrDefault(type.getName(), Set.of()).contains(name)) {
          unknown.add(at);
          kept = null;
        }
        if (kept != null) {
          result.set(name, kept);
        }
      }
      return result;
    }

    private JsonNode field(FieldDescriptor field, JsonNode value, String path) {
      if (field.isMapField()) {
        return map(field.getMessageType().findFieldByName("value"), value, path, field);
      }
      return field.isRepeated() ? list(field, value, path) : single(field, value, path);
    }

    private JsonNode map(
        FieldDescriptor element, JsonNode map, String path, FieldDescriptor field) {
      if (!(map instanceof ObjectNode entries)) {
        return wrong(field, map, path, "map[string]" + typeName(element));
      }
      ObjectNode result = Trees.empty();
      for (Map.Entry<String, JsonNode> entry : entries.properties()) {
        JsonNode kept = single(element, entry.getValue(), path + "." + entry.getKey());
        result.set(entry.getKey(), kept);
      }
      return result;
    }

    private JsonNode list(FieldDescriptor field, JsonNode list, String path) {
      // A list of lists is a message with one repeated field in protobuf.
      if (!list.isArray()) {
        return wrong(field, list, path, "[]" + typeName(field));
      }
      ArrayNode result = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < list.size(); i++) {
        JsonNode kept = single(field, list.get(i), path + "[" + i + "]");
        result.add(kept);
      }
      return result;
    }

    private JsonNode single(FieldDescriptor field, JsonNode value, String path) {
      boolean fits =
          switch (field.getJavaType()) {
            case STRING, BYTE_STRING, ENUM -> value.isTextual();
            case BOOLEAN -> value.isBoolean();
            case INT, LONG -> value.isIntegralNumber();
            case FLOAT, DOUBLE -> value.isNumber();
            case MESSAGE -> true;
          };
      if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        return fits || value.isNull() ? value : wrong(field, value, path, typeName(field));
      }
      Descriptor type = field.getMessageType();
      switch (type.getName()) {
        case "Quantity" -> {
          if (value.isNumber()) {
            // The API answers with texts only, whatever form was sent.
            return JsonNodeFactory.instance.textNode(value.asText());
          }
          return value.isTextual() ? value : wrong(field, value, path, type.getName());
        }
        case "IntOrString" -> {
          return value.isTextual() || value.isIntegralNumber()
              ? value
              : wrong(field, value, path, type.getName());
        }
        case "Time", "MicroTime" -> {
          return value.isTextual() || value.isNull()
              ? value
              : wrong(field, value, path, type.getName());
        }
        case "RawExtension", "FieldsV1", "JSON", "Duration", "ObjectMeta", "ExtraValue" -> {
          return value;
        }
        default -> {
          return value instanceof ObjectNode object
              ? fields(type, object, path)
              : value.isNull() ? value : wrong(field, value, path, type.getName());
        }
      }
    }

    private JsonNode wrong(FieldDescriptor field, JsonNode value, String path, String type) {
      if (!checkTypes) {
        return value;
      }
      throw ApiErrors.badRequest(
          kind
              + " in version \""
              + version
              + "\" cannot be handled as a "
              + kind
              + ": json: cannot unmarshal "
              + value.getNodeType().name().toLowerCase(Locale.ROOT)
              + " into Go struct field "
              + field.getContainingType().getName()
              + "."
              + path
              + " of type "
              + type);
    }
  }

  private static String typeName(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING, ENUM -> "string";
      case BYTE_STRING -> "[]uint8";
      case BOOLEAN -> "bool";
      case INT -> "int32";
      case LONG -> "int64";
      case FLOAT, DOUBLE -> "float64";
      case MESSAGE -> field.getMessageType().getName();
    };
  }
}
