// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Refuses defaults that the schema itself would refuse or prune. */
final class DefaultChecks {

  private static final String WRAPPER = "default";

  private final SchemaErrors errors;

  DefaultChecks(SchemaErrors errors) {
    this.errors = errors;
  }

  void check(SchemaNode node, FieldPath path) {
    JsonNode value = node.defaultValue();
    if (value != null) {
      check(node, value, path.child("default"));
    }
    for (Map.Entry<String, SchemaNode> property : node.properties().entrySet()) {
      check(property.getValue(), path.child("properties").key(property.getKey()));
    }
    if (node.items() != null) {
      check(node.items(), path.child("items"));
    }
    if (node.additional() != null) {
      check(node.additional(), path.child("additionalProperties"));
    }
  }

  private void check(SchemaNode node, JsonNode value, FieldPath path) {
    SchemaNode holder = SchemaNode.objectOf(Map.of(WRAPPER, node));
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.set(WRAPPER, value);
    if (Pruning.differs(Pruning.prune(holder, object), object)) {
      errors.invalid(path, value, "must not have unknown fields");
      return;
    }
    ObjectNode defaulted = (ObjectNode) Defaulting.apply(holder, object);
    for (FieldError error : SchemaValidation.validate(holder, defaulted, null)) {
      errors.invalid(path, value, error.message());
    }
  }
}
