// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The schema of one CustomResourceDefinition version, ready for use from any thread.
 *
 * <p>No method changes its argument. Results share unchanged subtrees with it (and are the argument
 * itself where nothing changes), so trees handed in must not be changed afterwards.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class CompiledSchema {

  private static final FieldError RULES_NOT_CHECKED =
      FieldError.invalid(
          FieldPath.ROOT.toString(),
          NullNode.getInstance(),
          "some validation rules were not checked because the object was invalid; correct the"
              + " existing errors to complete validation");

  private final SchemaNode root;
  private final @Nullable RuleNode rules;

  private CompiledSchema(SchemaNode root, @Nullable RuleNode rules) {
    this.root = root;
    this.rules = rules;
  }

  /**
   * Compiles {@code openAPIV3Schema}.
   *
   * @param path where the schema stands in the CRD, for the errors' field paths, such as {@code
   *     spec.versions[0].schema.openAPIV3Schema}
   */
  public static SchemaCompilation compile(ObjectNode openAPIV3Schema, String path) {
    SchemaErrors errors = new SchemaErrors();
    FieldPath at = FieldPath.of(path);
    SchemaNode root = new SchemaParser(errors).root(openAPIV3Schema, at);
    if (errors.isEmpty()) {
      new DefaultChecks(errors).check(root, at);
    }
    RuleNode rules = errors.isEmpty() ? new RuleCompiler(errors).compile(root, at) : null;
    if (rules != null) {
      errors.addAll(RuleEvaluation.ofDefaults(rules, at));
    }
    return errors.isEmpty()
        ? new SchemaCompilation.Compiled(new CompiledSchema(root, rules))
        : new SchemaCompilation.Refused(errors.all());
  }

  /** Into which separately owned parts objects fall. */
  public Shape shape() {
    return new SchemaShape(root, true);
  }

  /** Drops fields that the schema doesn't know; apiVersion, kind and metadata always stay. */
  public ObjectNode prune(ObjectNode object) {
    return Pruning.prune(root, object);
  }

  /**
   * Fills in defaults. A null that the schema doesn't allow counts as absent: it becomes the
   * default or is dropped.
   */
  public ObjectNode applyDefaults(ObjectNode object) {
    return (ObjectNode) Defaulting.apply(root, object);
  }

  /**
   * The paths that {@link #prune} would drop, for {@code fieldValidation=Strict} ({@code strict
   * decoding error: unknown field "spec.x"}) and {@code Warn}.
   */
  public List<String> unknownFields(ObjectNode object) {
    List<String> unknown = new ArrayList<>();
    Pruning.prune(root, object, path -> unknown.add(path.toString()));
    return unknown;
  }

  /**
   * Validates a pruned and defaulted object.
   *
   * @param old the stored object on an update (also of the status subresource), null on a create;
   *     errors that lie in values it holds too are not held against the new object
   * @return what is wrong, empty if nothing
   */
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    List<FieldError> errors = SchemaValidation.validate(root, object, old);
    if (rules == null) {
      return errors;
    }
    if (errors.stream().anyMatch(CompiledSchema::blocksRules)) {
      errors.add(RULES_NOT_CHECKED);
      return errors;
    }
    errors.addAll(RuleEvaluation.evaluate(rules, object, old));
    return errors;
  }

  /** Rules assume values of the declared types and bounded sizes. */
  private static boolean blocksRules(FieldError error) {
    return switch (error.errorType()) {
      case REQUIRED, TOO_LONG, TOO_MANY, TYPE_INVALID, NOT_SUPPORTED -> true;
      case INVALID, DUPLICATE, FORBIDDEN, NOT_FOUND, INTERNAL -> false;
    };
  }
}
