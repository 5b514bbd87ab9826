// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The shapes of a whole schema, with their types by name for the checker. */
final class CelShapes {

  private final IdentityHashMap<SchemaNode, Optional<CelShape>> shapes = new IdentityHashMap<>();
  private final Map<String, CelType> types = new HashMap<>();

  /** The shape of a level; empty if rules can't see it, as where the schema gives no type. */
  Optional<CelShape> of(SchemaNode node) {
    Optional<CelShape> known = shapes.get(node);
    if (known == null) {
      known = Optional.ofNullable(build(node));
      shapes.put(node, known);
    }
    return known;
  }

  private @Nullable CelShape build(SchemaNode node) {
    if (node.intOrString()) {
      return CelShape.Scalar.INT_OR_STRING;
    }
    if (node.type() == null) {
      return null;
    }
    return switch (node.type()) {
      case BOOLEAN -> CelShape.Scalar.BOOLEAN;
      case INTEGER -> CelShape.Scalar.INTEGER;
      case NUMBER -> CelShape.Scalar.NUMBER;
      case STRING -> text(node.format());
      case ARRAY ->
          node.items() == null ? null : of(node.items()).map(CelShape.Sequence::of).orElse(null);
      case OBJECT -> {
        if (node.additional() != null) {
          yield of(node.additional()).map(CelShape.Dictionary::of).orElse(null);
        }
        yield struct(node);
      }
    };
  }

  private static CelShape text(@Nullable String format) {
    return switch (format == null ? "" : format) {
      case "byte" -> CelShape.Scalar.BYTES;
      case "duration" -> CelShape.Scalar.DURATION;
      case "date" -> CelShape.Scalar.DATE;
      case "date-time" -> CelShape.Scalar.TIMESTAMP;
      default -> CelShape.Scalar.TEXT;
    };
  }

  private CelShape struct(SchemaNode node) {
    Map<String, CelShape.Struct.Property> properties = new LinkedHashMap<>();
    node.properties()
        .forEach((name, child) -> of(child).ifPresent(shape -> put(properties, name, shape)));
    if (node.embeddedResource()) {
      put(properties, "apiVersion", CelShape.Scalar.TEXT);
      put(properties, "kind", CelShape.Scalar.TEXT);
      put(properties, "metadata", metadata());
    }
    return named(properties);
  }

  /** The shape of metadata, of which rules see the names alone. */
  private CelShape metadata() {
    Map<String, CelShape.Struct.Property> properties = new LinkedHashMap<>();
    put(properties, "name", CelShape.Scalar.TEXT);
    put(properties, "generateName", CelShape.Scalar.TEXT);
    return named(properties);
  }

  private static void put(
      Map<String, CelShape.Struct.Property> properties, String name, CelShape shape) {
    PropertyNames.inCel(name)
        .ifPresent(
            inCel -> {
              CelShape.Struct.Property before = properties.get(inCel);
              int position = before == null ? properties.size() : before.position();
              properties.put(inCel, new CelShape.Struct.Property(position, name, shape));
            });
  }

  private CelShape.Struct named(Map<String, CelShape.Struct.Property> properties) {
    CelShape.Struct struct = new CelShape.Struct("selfType." + types.size(), properties);
    types.put(struct.type().name(), struct.type());
    return struct;
  }

  /** The types of all objects seen so far. */
  CelTypeProvider types() {
    return new Types(ImmutableMap.copyOf(types));
  }

  private record Types(ImmutableMap<String, CelType> byName) implements CelTypeProvider {
    @Override
    public ImmutableCollection<CelType> types() {
      return byName.values();
    }

    @Override
    public Optional<CelType> findType(String typeName) {
      return Optional.ofNullable(byName.get(typeName));
    }
  }
}
