// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
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
import dev.cel.extensions.CelStringExtensions;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.Program;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The language of rules: CEL with its extensions for strings and optional values, the types of
 * {@link Facts}, and two functions, without {@link Growth what builds values}. {@code
 * workload.requests.of('cpu')} is what all pods ask for together, 0 if nothing; {@code
 * amount('64Gi')} is a quantity. Both are numbers, unlike the quantities of Kubernetes' own CEL, so
 * that they are compared by {@code <} and {@code >}.
 *
 * <p>There is no variable for the time: rules know it by their windows only, so that all moments at
 * which an answer may change are known beforehand.
 */
final class RuleLanguage {
  /** Elements that one evaluation may look at: what a rule costs is bounded, whatever it says. */
  static final int MOST_ITERATIONS = 10_000;

  private static final int LONGEST_RULE = 4096;

  /** Steps of a compiled regular expression. */
  private static final int LARGEST_PATTERN = 1000;

  private static final CelStringExtensions STRINGS = CelExtensions.strings(Growth.NONE_OF_STRINGS);

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableOptionalSyntax(true)
          .maxExpressionCodePointSize(LONGEST_RULE)
          .comprehensionMaxIterations(MOST_ITERATIONS)
          .enableHiddenAccumulatorVar(true)
          .maxRegexProgramSize(LARGEST_PATTERN)
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
          .addLibraries(STRINGS, CelExtensions.optional())
          .addFunctionBindings(
              CelFunctionBinding.fromOverloads(
                  "amount",
                  CelFunctionBinding.from("amount_string", String.class, RuleLanguage::amount)))
          .addFunctionBindings(
              CelFunctionBinding.fromOverloads(
                  "of",
                  CelFunctionBinding.from("amounts_of", Map.class, String.class, RuleLanguage::of)))
          .build();

  private static final String AND = "&&";

  private static final Set<String> VARIABLES = Set.of("workload", "namespaceLabels", "windows");

  /** How CEL names what isn't there. */
  private static final Pattern UNKNOWN =
      Pattern.compile("(undefined field|undeclared reference to) '([^']+)'.*", Pattern.DOTALL);

  private final CelCompiler compiler;

  /** All fields that there are, and windows. */
  private final List<String> fields;

  /** The language of rules that may name these windows. */
  RuleLanguage(List<String> windows) {
    this.fields =
        Stream.concat(
                Stream.of(OWNER, POD_SET, WORKLOAD).flatMap(type -> type.fieldNames().stream()),
                windows.stream())
            .distinct()
            .toList();
    StructType named =
        struct(
            "Windows",
            windows.stream().collect(Collectors.toMap(name -> name, name -> SimpleType.BOOL)));
    this.compiler =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(Growth.NONE_OF_MACROS)
            .addLibraries(STRINGS, CelExtensions.optional())
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
      refuse(field, expression, Growth.problem(tree));
      refuse(field, expression, otherUseOfWindows(tree));
      return new Compiled(RUNTIME.createProgram(tree), windows(tree));
    } catch (CelValidationException e) {
      throw new InvalidFieldException(
          field,
          expression,
          e.getErrors().stream().map(this::text).distinct().collect(Collectors.joining("; ")));
    } catch (CelEvaluationException e) {
      throw new InvalidFieldException(field, expression, String.valueOf(e.getMessage()));
    }
  }

  private String text(CelIssue issue) {
    return issue.getMessage()
        + " (line %d, column %d)"
            .formatted(
                issue.getSourceLocation().getLine(), issue.getSourceLocation().getColumn() + 1)
        + meant(issue.getMessage()).map(name -> ", did you mean '" + name + "'?").orElse("");
  }

  private Optional<String> meant(String problem) {
    Matcher unknown = UNKNOWN.matcher(problem);
    return unknown.matches()
        ? NearestName.of(
            unknown.group(2), unknown.group(1).equals("undefined field") ? fields : VARIABLES)
        : Optional.empty();
  }

  /**
   * An operand of {@code &&}.
   *
   * @param text as it is written
   */
  record Conjunct(String text, Program program) {}

  /**
   * The operands of the outermost {@code &&} of an expression that compiles; one that has none is
   * its only operand.
   */
  List<Conjunct> conjuncts(String expression) {
    try {
      CelAbstractSyntaxTree tree = compiler.compile(expression).getAst();
      SortedSet<Integer> operators = new TreeSet<>();
      collectAnds(tree, tree.getExpr(), operators);
      List<Conjunct> conjuncts = new ArrayList<>();
      int from = 0;
      operators.add(expression.codePointCount(0, expression.length()));
      for (int to : operators) {
        String text = between(expression, from, to);
        CelValidationResult operand = compiler.compile(text);
        // What is in brackets goes on beyond an operator within them.
        if (!operand.hasError()) {
          conjuncts.add(new Conjunct(text, RUNTIME.createProgram(operand.getAst())));
          from = to + AND.length();
        }
      }
      return conjuncts;
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException(expression + " doesn't compile", e);
    }
  }

  /** Collects the places of the operators, in code points. */
  private static void collectAnds(
      CelAbstractSyntaxTree tree, CelExpr expr, SortedSet<Integer> operators) {
    if (expr.getKind() == Kind.CALL && expr.call().function().equals("_" + AND + "_")) {
      operators.add(tree.getSource().getPositionsMap().get(expr.id()));
      expr.call().args().forEach(operand -> collectAnds(tree, operand, operators));
    }
  }

  private static String between(String text, int from, int to) {
    return text.substring(text.offsetByCodePoints(0, from), text.offsetByCodePoints(0, to)).strip();
  }

  private static void refuse(String field, String expression, Optional<String> problem) {
    problem.ifPresent(
        remedy -> {
          throw new InvalidFieldException(field, expression, remedy);
        });
  }

  /**
   * The use that takes all windows as one value, or hides them, so that whether the time decides
   * isn't known.
   */
  private static Optional<String> otherUseOfWindows(CelAbstractSyntaxTree tree) {
    boolean other =
        CelNavigableAst.fromAst(tree)
            .getRoot()
            .allNodes()
            .anyMatch(node -> takesAllWindows(node) || hidesWindows(node.expr()));
    return other
        ? Optional.of("write windows with the name of one, as windows.NAME, and no other windows")
        : Optional.empty();
  }

  private static boolean takesAllWindows(CelNavigableExpr node) {
    return isWindows(node.expr())
        && node.parent().filter(above -> above.getKind() == Kind.SELECT).isEmpty();
  }

  private static boolean hidesWindows(CelExpr expr) {
    return expr.getKind() == Kind.COMPREHENSION
        && (expr.comprehension().iterVar().equals("windows")
            || expr.comprehension().accuVar().equals("windows"));
  }

  private static boolean isWindows(CelExpr expr) {
    return expr.getKind() == Kind.IDENT
        && expr.ident().name().replaceFirst("^[.]", "").equals("windows");
  }

  /** The windows that an expression names. */
  private static Set<String> windows(CelAbstractSyntaxTree tree) {
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(CelNavigableExpr::expr)
        .filter(expr -> expr.getKind() == Kind.SELECT && isWindows(expr.select().operand()))
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
