// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The matchConditions of a webhook or policy: all must hold for it to be asked. */
record Conditions(List<Condition> all) {
  record Condition(String name, Expression expression) {}

  static Conditions read(JsonNode list) {
    List<Condition> conditions = new ArrayList<>();
    for (JsonNode condition : list) {
      conditions.add(
          new Condition(
              Trees.text(condition, "name"), Expression.of(Trees.text(condition, "expression"))));
    }
    return new Conditions(List.copyOf(conditions));
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /**
   * Whether all hold; one that doesn't outweighs others that fail.
   *
   * @throws Expression.Failure if one fails and none of the others is false
   */
  boolean hold(Map<String, Object> variables) throws Expression.Failure {
    Expression.Failure failure = null;
    for (Condition condition : all) {
      try {
        if (!condition.expression().holds(variables)) {
          return false;
        }
      } catch (Expression.Failure e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return true;
  }
}
