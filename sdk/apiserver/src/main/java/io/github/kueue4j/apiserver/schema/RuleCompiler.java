// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.Program;
import io.github.kueue4j.apiserver.cel.KubernetesCel;
import io.github.kueue4j.apiserver.schema.RuleNode.CelRule;
import io.github.kueue4j.apiserver.schema.SchemaNode.ListSemantics;
import io.github.kueue4j.apiserver.schema.SchemaNode.RuleSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles and type-checks a schema's {@code x-kubernetes-validations}. */
final class RuleCompiler {

  static final String SELF = "self";
  static final String OLD_SELF = "oldSelf";

  private final SchemaErrors errors;
  private final CelShapes shapes = new CelShapes();

  RuleCompiler(SchemaErrors errors) {
    this.errors = errors;
  }

  @Nullable RuleNode compile(SchemaNode root, FieldPath path) {
    shapes.of(root);
    return node(root, path, null);
  }

  /**
   * @param uncorrelated the nearest level above whose parts have no predecessors, null if none
   */
  private @Nullable RuleNode node(
      SchemaNode schema, FieldPath path, @Nullable FieldPath uncorrelated) {
    Map<String, RuleNode> properties = new LinkedHashMap<>();
    schema
        .properties()
        .forEach(
            (name, child) -> {
              RuleNode node = node(child, path.child("properties").key(name), uncorrelated);
              if (node != null) {
                properties.put(name, node);
              }
            });
    RuleNode additional =
        schema.additional() == null
            ? null
            : node(schema.additional(), path.child("additionalProperties"), uncorrelated);
    boolean keyed = schema.list().listType() == ListSemantics.ListType.MAP;
    FieldPath belowItems = uncorrelated != null ? uncorrelated : keyed ? null : path;
    RuleNode items =
        schema.items() == null ? null : node(schema.items(), path.child("items"), belowItems);
    CelShape shape = schema.rules().isEmpty() ? null : shapes.of(schema).orElse(null);
    List<CelRule> rules = rules(schema, shape, path, uncorrelated);
    if (rules.isEmpty() && properties.isEmpty() && items == null && additional == null) {
      return null;
    }
    boolean transitions =
        rules.stream().anyMatch(CelRule::usesOldSelf)
            || properties.values().stream().anyMatch(RuleNode::transitions)
            || (items != null && items.transitions())
            || (additional != null && additional.transitions());
    return new RuleNode(
        schema, shape, rules, Map.copyOf(properties), items, additional, transitions);
  }

  private List<CelRule> rules(
      SchemaNode schema,
      @Nullable CelShape shape,
      FieldPath path,
      @Nullable FieldPath uncorrelated) {
    if (schema.rules().isEmpty()) {
      return List.of();
    }
    FieldPath list = path.child("x-kubernetes-validations");
    if (shape == null) {
      errors.forbidden(list, "rules need a schema with a type, give this level one");
      return List.of();
    }
    Environment environment = new Environment(shape.type());
    List<CelRule> rules = new ArrayList<>();
    for (RuleSource source : schema.rules()) {
      CelRule celRule = rule(schema, source, environment, list.index(source.position()));
      if (celRule == null) {
        continue;
      }
      if (celRule.usesOldSelf() && uncorrelated != null) {
        errors.invalid(
            list.index(source.position()).child("rule"),
            source.rule(),
            "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                + uncorrelated);
        continue;
      }
      if (source.optionalOldSelf() && !celRule.usesOldSelf()) {
        errors.invalid(
            list.index(source.position()).child("optionalOldSelf"),
            "true",
            "may not be set if oldSelf is not used in rule");
        continue;
      }
      rules.add(celRule);
    }
    return List.copyOf(rules);
  }

  private @Nullable CelRule rule(
      SchemaNode schema, RuleSource source, Environment environment, FieldPath path) {
    CelCompiler compiler = environment.compiler(source.optionalOldSelf());
    CelAbstractSyntaxTree tree = parse(compiler, source.rule(), path.child("rule"));
    if (tree == null) {
      return null;
    }
    if (!tree.getResultType().equals(SimpleType.BOOL)) {
      errors.invalid(
          path.child("rule"), source.rule(), "compilation failed: must evaluate to a bool");
      return null;
    }
    Program program = program(tree, source.rule(), path.child("rule"));
    Program message = null;
    boolean usesOldSelf = names(tree, OLD_SELF);
    if (source.messageExpression() != null) {
      message = message(compiler, source.messageExpression(), path.child("messageExpression"));
    }
    List<String> fieldPath = fieldPath(schema, source, path.child("fieldPath"));
    if (program == null) {
      return null;
    }
    String words = source.message() != null ? source.message() : source.rule();
    return new CelRule(source, program, message, words, fieldPath, usesOldSelf);
  }

  private @Nullable Program message(CelCompiler compiler, String expression, FieldPath path) {
    CelAbstractSyntaxTree tree = parse(compiler, expression, path);
    if (tree == null) {
      return null;
    }
    if (!tree.getResultType().equals(SimpleType.STRING)) {
      errors.invalid(path, expression, "must evaluate to a string");
      return null;
    }
    return program(tree, expression, path);
  }

  private @Nullable CelAbstractSyntaxTree parse(
      CelCompiler compiler, String expression, FieldPath path) {
    try {
      return compiler.compile(expression).getAst();
    } catch (CelValidationException e) {
      errors.invalid(path, expression, "compilation failed: " + e.getMessage());
      return null;
    }
  }

  private @Nullable Program program(CelAbstractSyntaxTree tree, String expression, FieldPath path) {
    try {
      return KubernetesCel.runtime().createProgram(tree);
    } catch (CelEvaluationException e) {
      errors.invalid(path, expression, "compilation failed: " + e.getMessage());
      return null;
    }
  }

  private static boolean names(CelAbstractSyntaxTree tree, String variable) {
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .anyMatch(
            node ->
                node.getKind() == CelExpr.ExprKind.Kind.IDENT
                    && node.expr().ident().name().equals(variable));
  }

  /** Reads {@code .spec.name} or {@code .labels['a/b']}; list positions can't be named. */
  private List<String> fieldPath(SchemaNode schema, RuleSource source, FieldPath at) {
    if (source.fieldPath() == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    @Nullable SchemaNode node = schema;
    for (String name : JsonPathText.names(source.fieldPath())) {
      node = node.properties().containsKey(name) ? node.properties().get(name) : node.additional();
      if (node == null) {
        break;
      }
      names.add(name);
    }
    if (node == null || names.isEmpty()) {
      errors.invalid(
          at,
          source.fieldPath(),
          "fieldPath must be a valid path: does not refer to a valid field");
      return List.of();
    }
    return List.copyOf(names);
  }

  /** Compilers for the rules of one level, made when first needed. */
  private final class Environment {
    private final CelType self;
    private @Nullable CelCompiler plain;
    private @Nullable CelCompiler optional;

    Environment(CelType self) {
      this.self = self;
    }

    CelCompiler compiler(boolean optionalOldSelf) {
      if (optionalOldSelf) {
        if (optional == null) {
          optional = build(OptionalType.create(self));
        }
        return optional;
      }
      if (plain == null) {
        plain = build(self);
      }
      return plain;
    }

    private CelCompiler build(CelType oldSelf) {
      CelCompilerBuilder builder = KubernetesCel.compiler().toCompilerBuilder();
      return builder
          .setTypeProvider(shapes.types())
          .addVar(SELF, self)
          .addVar(OLD_SELF, oldSelf)
          .build();
    }
  }
}
