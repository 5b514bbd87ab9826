// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

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
    List<CelRule> rules,
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
  record CelRule(
      SchemaNode.RuleSource source,
      Program program,
      @Nullable Program messageProgram,
      String words,
      List<String> fieldPath,
      boolean usesOldSelf) {}
}
