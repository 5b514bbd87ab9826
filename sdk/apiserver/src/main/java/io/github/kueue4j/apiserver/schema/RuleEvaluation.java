// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.cel.runtime.CelEvaluationException;
import io.github.kueue4j.apiserver.schema.RuleNode.CelRule;
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

  /** The position in the expression, which is of no use to the author of the object. */
  private static final Pattern WHERE = Pattern.compile("^evaluation error(?: at [^ ]*)?: ");

  private final List<FieldError> errors = new ArrayList<>();

  private RuleEvaluation() {}

  static List<FieldError> evaluate(RuleNode root, ObjectNode object, @Nullable ObjectNode old) {
    RuleEvaluation walk = new RuleEvaluation();
    walk.value(root, object, Correlation.of(object, old), FieldPath.ROOT);
    return walk.errors;
  }

  /**
   * The errors of defaults, as they are written: rules don't see those inside of them, which come
   * later.
   */
  static List<FieldError> ofDefaults(RuleNode root, FieldPath path) {
    RuleEvaluation walk = new RuleEvaluation();
    walk.defaults(root, path);
    return walk.errors;
  }

  private void defaults(RuleNode node, FieldPath path) {
    JsonNode value = node.schema().defaultValue();
    if (value != null) {
      value(node, value, Correlation.NEW, path.child("default"));
    }
    node.properties()
        .forEach((name, property) -> defaults(property, path.child("properties").key(name)));
    if (node.items() != null) {
      defaults(node.items(), path.child("items"));
    }
    if (node.additional() != null) {
      defaults(node.additional(), path.child("additionalProperties"));
    }
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
    Correlation.ListElements listElements = before.elements(node.schema(), array);
    for (int i = 0; i < array.size(); i++) {
      JsonNode element = array.get(i);
      value(node.items(), element, listElements.at(i, element), path.index(i));
    }
  }

  private void rules(
      RuleNode node, CelShape shape, JsonNode value, Correlation before, FieldPath path) {
    JsonNode old = before.old();
    Map<String, Object> variables = null;
    Object oldSelf = null;
    for (CelRule celRule : node.rules()) {
      boolean optional = celRule.source().optionalOldSelf();
      if (celRule.usesOldSelf() ? old == null && !optional : before.identical()) {
        continue;
      }
      if (variables == null) {
        variables = HashMap.newHashMap(2);
        variables.put(RuleCompiler.SELF, shape.toCel(value));
      }
      if (celRule.usesOldSelf()) {
        if (old != null && oldSelf == null) {
          oldSelf = shape.toCel(old);
        }
        Object bound = optional ? Optional.ofNullable(oldSelf) : oldSelf;
        if (bound != null) {
          variables.put(RuleCompiler.OLD_SELF, bound);
        }
      }
      evaluate(node, celRule, variables, before, path);
    }
  }

  private void evaluate(
      RuleNode node,
      CelRule celRule,
      Map<String, Object> variables,
      Correlation before,
      FieldPath path) {
    String detail;
    FieldPath blamed = path;
    FieldError.ErrorType errorType = FieldError.ErrorType.INVALID;
    try {
      if (Boolean.TRUE.equals(celRule.program().eval(variables))) {
        return;
      }
      for (String name : celRule.fieldPath()) {
        blamed = blamed.child(name);
      }
      errorType = celRule.source().reason();
      detail = message(celRule, variables);
    } catch (CelEvaluationException e) {
      detail =
          WHERE.matcher(e.getMessage()).replaceFirst("") + " evaluating rule: " + celRule.words();
    }
    if (!celRule.usesOldSelf() && before.unchanged()) {
      return;
    }
    TextNode badValue =
        errorType == FieldError.ErrorType.REQUIRED || errorType == FieldError.ErrorType.FORBIDDEN
            ? null
            : TextNode.valueOf(typeWord(node.schema()));
    String shown = errorType == FieldError.ErrorType.DUPLICATE ? "" : detail;
    errors.add(new FieldError(blamed.toString(), errorType, badValue, shown));
  }

  /** The API names the type, not the value. */
  private static String typeWord(SchemaNode schema) {
    return schema.type() == null ? "" : schema.type().word();
  }

  private static String message(CelRule celRule, Map<String, Object> variables) {
    if (celRule.messageProgram() != null) {
      String computed = computed(celRule, variables);
      if (!computed.isEmpty()
          && computed.length() <= MAX_MESSAGE_BYTES
          && !computed.contains("\n")) {
        return computed;
      }
    }
    String message = celRule.source().message();
    return message != null ? message : "failed rule: " + celRule.source().rule();
  }

  /** Empty if the expression fails: then the fixed message is used, as in the API. */
  private static String computed(CelRule celRule, Map<String, Object> variables) {
    if (celRule.messageProgram() == null) {
      return "";
    }
    try {
      return celRule.messageProgram().eval(variables) instanceof String text ? text.strip() : "";
    } catch (CelEvaluationException e) {
      return "";
    }
  }
}
