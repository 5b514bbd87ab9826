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

import dev.cel.runtime.Program;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CEL rules of a schema level and of those below it; levels without rules have no node.
 *
 * @param shape how this level's rules see the value; null where there are none
 * @param transitions whether a rule here or below compares with the old value
 */
record RuleNode(
    SchemaNode schema,
    @Nullable CelShape shape,
    List<Rule> rules,
    Map<String, RuleNode> properties,
    @Nullable RuleNode items,
    @Nullable RuleNode additional,
    boolean transitions) {

  /**
   * A compiled rule.
   *
   * @param words what names the rule in errors: its message, else its expression
   * @param fieldPath names of the fields from this level to the blamed one, empty for this level
   */
  record Rule(
      SchemaNode.RuleSource source,
      Program program,
      @Nullable Program messageProgram,
      String words,
      List<String> fieldPath,
      boolean usesOldSelf) {}
}
