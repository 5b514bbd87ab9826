// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.values.StructValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as rules see it. Values are converted on first use and kept, since several rules
 * look at the same ones; therefore an instance belongs to one thread.
 */
// The JSON doesn't change while rules run, and what is kept belongs to one thread.
@SuppressWarnings("Immutable")
final class CelObject extends StructValue<String, CelObject> {

  private final CelShape.Struct shape;
  private final ObjectNode json;
  private @Nullable Object @Nullable [] converted;

  CelObject(CelShape.Struct shape, ObjectNode json) {
    this.shape = shape;
    this.json = json;
  }

  @Override
  public CelObject value() {
    // CEL unwraps values between the steps of a selection and selects from what it gets.
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return json.isEmpty();
  }

  @Override
  public CelType celType() {
    return shape.type();
  }

  @Override
  public Object select(String field) {
    Object value = get(field);
    if (value == null) {
      throw CelAttributeNotFoundException.of("no such key: " + field);
    }
    return value;
  }

  @Override
  public Optional<Object> find(String field) {
    return Optional.ofNullable(get(field));
  }

  private @Nullable Object get(String field) {
    CelShape.Struct.Property property = shape.property(field);
    if (property == null) {
      return null;
    }
    JsonNode value = json.get(property.name());
    if (value == null) {
      return null;
    }
    if (converted == null) {
      converted = new Object[shape.size()];
    }
    Object known = converted[property.position()];
    if (known == null) {
      known = property.shape().toCel(value);
      converted[property.position()] = known;
    }
    return known;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CelObject object && json.equals(object.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return json.toString();
  }
}
