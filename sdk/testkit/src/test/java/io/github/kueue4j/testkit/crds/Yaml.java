// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import java.util.List;

/** Trees for tests, written as YAML. */
final class Yaml {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Yaml() {}

  static ObjectNode object(String yaml) {
    return (ObjectNode) tree(yaml);
  }

  static JsonNode tree(String yaml) {
    return MAPPER.valueToTree(new org.yaml.snakeyaml.Yaml().load(yaml));
  }

  static List<String> texts(List<FieldError> errors) {
    return errors.stream().map(FieldError::toString).toList();
  }
}
