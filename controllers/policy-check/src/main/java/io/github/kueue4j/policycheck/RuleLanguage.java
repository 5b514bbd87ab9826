// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.Program;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The language of rules: CEL with its extensions for strings and optional values, the types of
 * {@link Facts}, and two functions. {@code workload.requests.of('cpu')} is what all pods ask for
 * together, 0 if nothing; {@code amount('64Gi')} is a quantity. Both are numbers, unlike the
 * quantities of Kubernetes' own CEL, so that they are compared by {@code <} and {@code >}.
 *
 * <p>There is no variable for the time: rules know it by their windows only, so that all moments at
 * which an answer may change are known beforehand.
 */
final class RuleLanguage {
  /** Elements that one evaluation may look at: what a rule costs is bounded, whatever it says. */
  private static final int MOST_ITERATIONS = 10_000;

  private static final int LONGEST_RULE = 4096;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableOptionalSyntax(true)
          .maxExpressionCodePointSize(LONGEST_RULE)
          .comprehensionMaxIterations(MOST_ITERATIONS)
          .build();

  private static final CelType TEXTS = MapType.create(SimpleType.STRING, SimpleType.STRING);
  private static final CelType AMOUNTS = MapType.create(SimpleType.STRING, SimpleType.DOUBLE);

  private static final StructType OWNER =
      struct("Owner", Map.of("apiVersion", SimpleType.STRING, "kind", SimpleType.STRING));
  private static final StructType POD_SET =
      struct(
          "PodSet",
          Map.of(
              "name", SimpleType.STRING,
              "count", SimpleType.INT,
              "labels", TEXTS,
              "annotations", TEXTS,
              "requests", AMOUNTS,
              "flavors", TEXTS,
              "template", SimpleType.DYN));
  private static final StructType WORKLOAD =
      struct(
          "Workload",
          Map.of(
              "namespace",
              SimpleType.STRING,
              "labels",
              TEXTS,
              "annotations",
              TEXTS,
              "owner",
              OWNER,
              "priority",
              SimpleType.INT,
              "queue",
              SimpleType.STRING,
              "clusterQueue",
              SimpleType.STRING,
              "pods",
              SimpleType.INT,
              "podSets",
              ListType.create(POD_SET),
              "requests",
              AMOUNTS));

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(OPTIONS)
          .addLibraries(CelExtensions.strings(), CelExtensions.optional())
          .addFunctionBindings(
              CelFunctionBinding.fromOverloads(
                  "amount",
                  CelFunctionBinding.from("amount_string", String.class, RuleLanguage::amount)))
          .addFunctionBindings(
              CelFunctionBinding.fromOverloads(
                  "of",
                  CelFunctionBinding.from("amounts_of", Map.class, String.class, RuleLanguage::of)))
          .build();

  private final CelCompiler compiler;

  /** The language of rules that may name these windows. */
  RuleLanguage(List<String> windows) {
    StructType named =
        struct(
            "Windows",
            windows.stream().collect(Collectors.toMap(name -> name, name -> SimpleType.BOOL)));
    this.compiler =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings(), CelExtensions.optional())
            .setTypeProvider(Types.of(OWNER, POD_SET, WORKLOAD, named))
            .addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(
                    "amount",
                    CelOverloadDecl.newGlobalOverload(
                        "amount_string", SimpleType.DOUBLE, SimpleType.STRING)),
                CelFunctionDecl.newFunctionDeclaration(
                    "of",
                    CelOverloadDecl.newMemberOverload(
                        "amounts_of", SimpleType.DOUBLE, AMOUNTS, SimpleType.STRING)))
            .addVar("workload", WORKLOAD)
            .addVar("namespaceLabels", TEXTS)
            .addVar("windows", named)
            .build();
  }

  /**
   * A rule that can be evaluated.
   *
   * @param windows those that it names: only by them does its answer depend on the time
   */
  record Compiled(Program program, Set<String> windows) {}

  /**
   * @param field the name of the expression's field
   * @throws InvalidFieldException if it can't be evaluated, or is neither true nor false
   */
  Compiled compile(String field, String expression) {
    try {
      CelAbstractSyntaxTree tree = compiler.compile(expression).getAst();
      if (!tree.getResultType().equals(SimpleType.BOOL)) {
        throw new InvalidFieldException(
            field,
            expression,
            "it gives a "
                + tree.getResultType().name()
                + ": write an expression that is true or false, such as workload.priority > 0");
      }
      return new Compiled(RUNTIME.createProgram(tree), windows(tree));
    } catch (CelValidationException e) {
      throw new InvalidFieldException(
          field,
          expression,
          e.getErrors().stream()
              .map(
                  issue ->
                      issue.getMessage()
                          + " (line %d, column %d)"
                              .formatted(
                                  issue.getSourceLocation().getLine(),
                                  issue.getSourceLocation().getColumn() + 1))
              .distinct()
              .collect(Collectors.joining("; ")));
    } catch (CelEvaluationException e) {
      throw new InvalidFieldException(field, expression, String.valueOf(e.getMessage()));
    }
  }

  /** The windows that an expression names. */
  private static Set<String> windows(CelAbstractSyntaxTree tree) {
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(CelNavigableExpr::expr)
        .filter(
            expr ->
                expr.getKind() == Kind.SELECT
                    && expr.select().operand().getKind() == Kind.IDENT
                    && expr.select().operand().ident().name().equals("windows"))
        .map(expr -> expr.select().field())
        .collect(Collectors.toSet());
  }

  private static double amount(String text) {
    return Quantity.parse(text).amount().doubleValue();
  }

  private static double of(Map<?, ?> amounts, String resource) {
    return amounts.get(resource) instanceof Double amount ? amount : 0;
  }

  private static StructType struct(String name, Map<String, CelType> fields) {
    ImmutableMap<String, CelType> types = ImmutableMap.copyOf(fields);
    return StructType.create(
        "kueue4j." + name,
        ImmutableSet.copyOf(types.keySet()),
        field -> Optional.ofNullable(types.get(field)));
  }

  private record Types(ImmutableMap<String, CelType> byName) implements CelTypeProvider {
    static Types of(StructType... types) {
      return new Types(
          List.of(types).stream()
              .collect(ImmutableMap.toImmutableMap(StructType::name, type -> type)));
    }

    @Override
    public ImmutableCollection<CelType> types() {
      return byName.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.ofNullable(byName.get(name));
    }
  }
}
