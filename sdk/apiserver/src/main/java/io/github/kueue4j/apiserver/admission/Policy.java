// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ValidatingAdmissionPolicy, ready for use.
 *
 * @param paramApiVersion apiVersion of its parameters, empty if it takes none
 * @param ignorable whether an expression that fails lets a write through
 * @param variables by name, in the order in which they may use each other
 */
record Policy(
    String name,
    String paramApiVersion,
    String paramKind,
    Matching.Wanted wanted,
    Conditions conditions,
    boolean ignorable,
    List<Variable> variables,
    List<Validation> validations) {

  /** A value with a name, for other expressions. */
  record Variable(String name, Expression expression) {}

  /**
   * The condition that must hold.
   *
   * @param message fixed text, may be empty
   * @param messageExpression computes the text, empty expression for none
   * @param reason of the Status, empty for the usual one
   */
  record Validation(
      Expression expression,
      String message,
      Optional<Expression> messageExpression,
      String reason) {}

  /**
   * Something that doesn't hold.
   *
   * @param reason of the Status, empty for the usual one
   */
  record Violation(String message, String reason) {}

  static Policy read(ObjectNode policy) {
    ObjectNode spec = Trees.object(policy, "spec");
    List<Variable> variables = new ArrayList<>();
    for (JsonNode variable : spec.path("variables")) {
      variables.add(
          new Variable(
              Trees.text(variable, "name"), Expression.of(Trees.text(variable, "expression"))));
    }
    List<Validation> validations = new ArrayList<>();
    for (JsonNode validation : spec.path("validations")) {
      String computed = Trees.text(validation, "messageExpression");
      validations.add(
          new Validation(
              Expression.of(Trees.text(validation, "expression")),
              Trees.text(validation, "message"),
              computed.isEmpty() ? Optional.empty() : Optional.of(Expression.of(computed)),
              Trees.text(validation, "reason")));
    }
    return new Policy(
        Trees.name(policy),
        Trees.text(spec.path("paramKind"), "apiVersion"),
        Trees.text(spec.path("paramKind"), "kind"),
        Matching.Wanted.read(spec.path("matchConstraints"), "resourceRules"),
        Conditions.read(spec.path("matchConditions")),
        Trees.text(spec, "failurePolicy").equals("Ignore"),
        List.copyOf(variables),
        List.copyOf(validations));
  }

  boolean takesParameters() {
    return !paramKind.isEmpty();
  }

  /**
   * The conditions that a write violates.
   *
   * @param known what expressions can name, the policy's variables not included
   */
  List<Violation> violations(Map<String, Object> known) {
    try {
      if (!conditions.hold(known)) {
        return List.of();
      }
    } catch (Expression.Failure e) {
      return failed(e.text());
    }
    Map<String, Object> values = withVariables(known);
    List<Violation> violations = new ArrayList<>();
    for (Validation validation : validations) {
      try {
        if (!validation.expression().holds(values)) {
          violations.add(new Violation(message(validation, known), validation.reason()));
        }
      } catch (Expression.Failure e) {
        violations.addAll(
            failed(
                "expression '"
                    + validation.expression().text()
                    + "' resulted in error: "
                    + e.text()));
      }
    }
    return violations;
  }

  private Map<String, Object> withVariables(Map<String, Object> known) {
    Map<String, Object> values = new HashMap<>(known);
    Map<String, Object> computed = new HashMap<>();
    values.put("variables", computed);
    for (Variable variable : variables) {
      try {
        computed.put(variable.name(), variable.expression().evaluate(values));
      } catch (Expression.Failure e) {
        // An expression that uses the variable fails on its absence; the others don't need it.
      }
    }
    return values;
  }

  private List<Violation> failed(String why) {
    return ignorable ? List.of() : List.of(new Violation(why, ""));
  }

  /** Messages, and the variables in them, can't ask the authorizer. */
  private String message(Validation validation, Map<String, Object> known) {
    if (validation.messageExpression().isPresent()) {
      Map<String, Object> values = new HashMap<>(known);
      values.keySet().removeIf(name -> name.startsWith("authorizer"));
      values = withVariables(values);
      try {
        Object text = validation.messageExpression().get().evaluate(values);
        if (text instanceof String words && !words.isBlank() && !words.contains("\n")) {
          return words.strip();
        }
      } catch (Expression.Failure e) {
        // The fixed message is used then, as in the API.
        return fixed(validation);
      }
    }
    return fixed(validation);
  }

  private static String fixed(Validation validation) {
    return validation.message().isEmpty()
        ? "failed expression: " + validation.expression().text().strip()
        : validation.message().strip();
  }
}
