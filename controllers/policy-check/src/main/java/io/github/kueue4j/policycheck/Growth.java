// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import java.util.Optional;
import java.util.Set;

/**
 * The expressions that rules can't have, since values could grow by them: a rule takes apart what a
 * Workload says, and builds nothing.
 *
 * <p>The number of elements that are looked at doesn't bound memory: {@code ['ab'].map(a, a +
 * a).map(b, b + b)} doubles a text with each step, and lists of lists double what CEL walks over.
 */
final class Growth {
  /** The functions for strings whose text is no longer than what it is made of. */
  static final Set<CelStringExtensions.Function> NONE_OF_STRINGS =
      Set.of(
          CelStringExtensions.Function.CHAR_AT,
          CelStringExtensions.Function.INDEX_OF,
          CelStringExtensions.Function.LAST_INDEX_OF,
          CelStringExtensions.Function.LOWER_ASCII,
          CelStringExtensions.Function.REVERSE,
          CelStringExtensions.Function.SPLIT,
          CelStringExtensions.Function.SUBSTRING,
          CelStringExtensions.Function.TRIM,
          CelStringExtensions.Function.UPPER_ASCII);

  /** Without {@code map}, whose elements may be lists. */
  static final ImmutableSet<CelStandardMacro> NONE_OF_MACROS =
      ImmutableSet.of(
          CelStandardMacro.HAS,
          CelStandardMacro.ALL,
          CelStandardMacro.EXISTS,
          CelStandardMacro.EXISTS_ONE,
          CelStandardMacro.FILTER);

  private static final Set<String> OF_TEXTS_AND_LISTS =
      Set.of("add_string", "add_bytes", "add_list");

  /** What the macros collect in; people can't write it. */
  private static final String COLLECTED = "@result";

  private Growth() {}

  /** The remedy, if an expression builds texts, lists or maps. */
  static Optional<String> problem(CelAbstractSyntaxTree tree) {
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .flatMap(node -> problem(tree, node).stream())
        .findFirst();
  }

  private static Optional<String> problem(CelAbstractSyntaxTree tree, CelNavigableExpr node) {
    return switch (node.getKind()) {
      case CALL ->
          adds(tree, node.expr()) && !collects(node.expr())
              ? Optional.of("write + for numbers and times only: here it may add texts or lists")
              : Optional.empty();
      case LIST, MAP ->
          node.children().anyMatch(Growth::isComputed)
                  && node.parent().filter(above -> collects(above.expr())).isEmpty()
              ? Optional.of("write fixed values only into a list or map in brackets")
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static boolean adds(CelAbstractSyntaxTree tree, CelExpr call) {
    return tree.getReference(call.id())
        .filter(to -> to.overloadIds().stream().anyMatch(OF_TEXTS_AND_LISTS::contains))
        .isPresent();
  }

  /** {@code filter} adds the elements that it keeps one by one. */
  private static boolean collects(CelExpr expr) {
    return expr.getKind() == Kind.CALL
        && !expr.call().args().isEmpty()
        && expr.call().args().getFirst().getKind() == Kind.IDENT
        && expr.call().args().getFirst().ident().name().equals(COLLECTED);
  }

  private static boolean isComputed(CelNavigableExpr element) {
    return element.allNodes().anyMatch(node -> node.getKind() == Kind.IDENT);
  }
}
