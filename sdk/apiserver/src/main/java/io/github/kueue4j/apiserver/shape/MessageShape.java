// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.kueue4j.apiserver.protobuf.ApiMessages;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The shape of a built-in kind, read off its protobuf message. */
@API(status = API.Status.INTERNAL)
public record MessageShape(Descriptor message, boolean root) implements Shape {

  /** Messages that JSON writes as a scalar or as anything. */
  private static final Set<String> SCALARS =
      Set.of(
          "Quantity",
          "IntOrString",
          "Time",
          "MicroTime",
          "Duration",
          "RawExtension",
          "FieldsV1",
          "JSON");

  private static final JsonNode TCP = JsonNodeFactory.instance.textNode("TCP");

  /** The metadata of every object. */
  public static final Shape METADATA = new MessageShape(ApiMessages.objectMeta(), false);

  /** The shape of a kind. */
  public static Shape ofKind(Descriptor message) {
    return new MessageShape(message, true);
  }

  @Override
  public Kind kind(JsonNode value) {
    return value.isObject() ? Kind.FIELDS : Kind.WHOLE;
  }

  @Override
  public @Nullable Shape child(String name) {
    Shape common = root ? Shape.ofEveryObject(name) : null;
    if (common != null) {
      return common;
    }
    Optional<FieldDescriptor> field = ApiMessages.field(message, name);
    if (field.isPresent()) {
      return ofField(field.get());
    }
    return ApiMessages.isNewer(message, name) ? Untyped.DEDUCED : null;
  }

  private static Shape ofField(FieldDescriptor field) {
    if (field.isMapField()) {
      return ListTypes.isAtomicMap(field)
          ? Untyped.WHOLE
          : new Map(ofType(field.getMessageType().findFieldByName("value")));
    }
    if (!field.isRepeated()) {
      return ofType(field);
    }
    if (ListTypes.isSet(field)) {
      return new Elements(Kind.SET, Untyped.WHOLE, List.of());
    }
    List<String> keys = ListTypes.keys(field);
    return keys.isEmpty() ? Untyped.WHOLE : new Elements(Kind.KEYED_LIST, ofType(field), keys);
  }

  private static Shape ofType(FieldDescriptor field) {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      return Untyped.WHOLE;
    }
    Descriptor type = field.getMessageType();
    return SCALARS.contains(type.getName()) || ListTypes.isAtomic(type)
        ? Untyped.WHOLE
        : new MessageShape(type, false);
  }

  @Override
  public boolean declares(String name) {
    return true;
  }

  private record Map(Shape values) implements Shape {
    @Override
    public Kind kind(JsonNode value) {
      return value.isObject() ? Kind.MAP : Kind.WHOLE;
    }

    @Override
    public Shape child(String name) {
      return values;
    }
  }

  private record Elements(Kind listKind, Shape element, List<String> keys) implements Shape {
    @Override
    public Kind kind(JsonNode value) {
      return value.isArray() ? listKind : Kind.WHOLE;
    }

    @Override
    public @Nullable JsonNode keyDefault(String key) {
      return key.equals("protocol") ? TCP : null;
    }
  }
}
