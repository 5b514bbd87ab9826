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
package io.github.kueue4j.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.cel.runtime.CelEvaluationException;
import io.github.kueue4j.testkit.schema.RuleNode.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Walks an object along its schema's rules and collects those that don't hold. */
final class RuleEvaluation {

  /** The API cuts off longer texts of messageExpression. */
  private static final int MAX_MESSAGE_BYTES = 5 * 1024;

  /** The position in the expression says nothing to who wrote the object. */
  private static final Pattern WHERE = Pattern.compile("^evaluation error(?: at [^ ]*)?: ");

  private final List<FieldError> errors = new ArrayList<>();

  private RuleEvaluation() {}

  static List<FieldError> evaluate(RuleNode root, ObjectNode object, @Nullable ObjectNode old) {
    RuleEvaluation walk = new RuleEvaluation();
    walk.value(root, object, Correlation.of(object, old), FieldPath.ROOT);
    return walk.errors;
  }

  private void value(RuleNode node, JsonNode value, Correlation before, FieldPath path) {
    if (value.isNull() || (before.identical() && !node.transitions())) {
      return;
    }
    if (node.shape() != null) {
      rules(node, node.shape(), value, before, path);
    }
    switch (value) {
      case ObjectNode object -> object(node, object, before, path);
      case ArrayNode array -> array(node, array, before, path);
      default -> {}
    }
  }

  private void object(RuleNode node, ObjectNode object, Correlation before, FieldPath path) {
    if (node.additional() != null) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        Correlation correlation = before.field(entry.getKey(), entry.getValue());
        value(node.additional(), entry.getValue(), correlation, path.key(entry.getKey()));
      }
    }
    for (Map.Entry<String, RuleNode> property : node.properties().entrySet()) {
      String name = property.getKey();
      JsonNode child = object.get(name);
      if (child != null) {
        value(property.getValue(), child, before.field(name, child), path.child(name));
      }
    }
  }

  private void array(RuleNode node, ArrayNode array, Correlation before, FieldPath path) {
    if (node.items() == null || array.isEmpty()) {
      return;
    }
    Correlation.Elements elements = before.elements(node.schema(), array);
    for (int i = 0; i < array.size(); i++) {
      JsonNode element = array.get(i);
      value(node.items(), element, elements.at(i, element), path.index(i));
    }
  }

  private void rules(
      RuleNode node, CelShape shape, JsonNode value, Correlation before, FieldPath path) {
    JsonNode old = before.old();
    Map<String, Object> variables = null;
    Object oldSelf = null;
    for (Rule rule : node.rules()) {
      boolean optional = rule.source().optionalOldSelf();
      if (rule.usesOldSelf() ? old == null && !optional : before.identical()) {
        continue;
      }
      if (variables == null) {
        variables = HashMap.newHashMap(2);
        variables.put(RuleCompiler.SELF, shape.toCel(value));
      }
      if (rule.usesOldSelf()) {
        if (old != null && oldSelf == null) {
          oldSelf = shape.toCel(old);
        }
        Object bound = optional ? Optional.ofNullable(oldSelf) : oldSelf;
        if (bound != null) {
          variables.put(RuleCompiler.OLD_SELF, bound);
        }
      }
      evaluate(node, rule, variables, before, path);
    }
  }

  private void evaluate(
      RuleNode node, Rule rule, Map<String, Object> variables, Correlation before, FieldPath path) {
    String detail;
    FieldPath blamed = path;
    FieldError.Type type = FieldError.Type.INVALID;
    try {
      if (Boolean.TRUE.equals(rule.program().eval(variables))) {
        return;
      }
      for (String name : rule.fieldPath()) {
        blamed = blamed.child(name);
      }
      type = rule.source().reason();
      detail = message(rule, variables);
    } catch (CelEvaluationException e) {
      detail = WHERE.matcher(e.getMessage()).replaceFirst("") + " evaluating rule: " + rule.words();
    }
    if (!rule.usesOldSelf() && before.unchanged()) {
      return;
    }
    TextNode badValue =
        type == FieldError.Type.REQUIRED || type == FieldError.Type.FORBIDDEN
            ? null
            : TextNode.valueOf(typeWord(node.schema()));
    String shown = type == FieldError.Type.DUPLICATE ? "" : detail;
    errors.add(new FieldError(blamed.toString(), type, badValue, shown));
  }

  /** The API names the type, not the value. */
  private static String typeWord(SchemaNode schema) {
    return schema.type() == null ? "" : schema.type().word();
  }

  private static String message(Rule rule, Map<String, Object> variables) {
    if (rule.messageProgram() != null) {
      String computed = computed(rule, variables);
      if (!computed.isEmpty()
          && computed.length() <= MAX_MESSAGE_BYTES
          && !computed.contains("\n")) {
        return computed;
      }
    }
    String message = rule.source().message();
    return message != null ? message : "failed rule: " + rule.source().rule();
  }

  /** Empty if the expression fails: then the fixed message speaks, as in the API. */
  private static String computed(Rule rule, Map<String, Object> variables) {
    if (rule.messageProgram() == null) {
      return "";
    }
    try {
      return rule.messageProgram().eval(variables) instanceof String text ? text.strip() : "";
    } catch (CelEvaluationException e) {
      return "";
    }
  }
}
