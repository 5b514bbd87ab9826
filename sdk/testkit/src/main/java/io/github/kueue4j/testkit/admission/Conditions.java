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
package io.github.kueue4j.testkit.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.testkit.tree.Trees;
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
