// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;
import io.github.kueue4j.apiserver.cel.AuthorizerFunctions;
import io.github.kueue4j.apiserver.cel.KubernetesCel;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CEL expression about a write. Values have no types but those of JSON. Immutable and
 * thread-safe.
 */
final class Expression {
  private static final CelCompiler COMPILER =
      KubernetesCel.compiler()
          .toCompilerBuilder()
          .addVar("object", SimpleType.DYN)
          .addVar("oldObject", SimpleType.DYN)
          .addVar("request", SimpleType.DYN)
          .addVar("params", SimpleType.DYN)
          .addVar("namespaceObject", SimpleType.DYN)
          .addVar("variables", SimpleType.DYN)
          .addVar("authorizer", AuthorizerFunctions.AUTHORIZER)
          .addVar("authorizer.requestResource", AuthorizerFunctions.RESOURCE_CHECK)
          .build();

  /** Charts apply the same policies to one server after another, and compiling takes long. */
  private static final int REMEMBERED = 512;

  private static final Map<String, Expression> KNOWN =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Expression> eldest) {
              return size() > REMEMBERED;
            }
          });

  private final String text;
  private final @Nullable Program program;
  private final String problem;

  private Expression(String text, @Nullable Program program, String problem) {
    this.text = text;
    this.program = program;
    this.problem = problem;
  }

  /** Why an expression has no value. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    String text() {
      return String.valueOf(getMessage());
    }
  }

  /** An expression that doesn't compile fails whenever it is evaluated. */
  static Expression of(String text) {
    Expression known = KNOWN.get(text);
    if (known == null) {
      known = compiled(text);
      KNOWN.put(text, known);
    }
    return known;
  }

  private static Expression compiled(String text) {
    try {
      Program program = KubernetesCel.runtime().createProgram(COMPILER.compile(text).getAst());
      return new Expression(text, program, "");
    } catch (CelValidationException | CelEvaluationException e) {
      return new Expression(text, null, "compilation failed: " + e.getMessage());
    }
  }

  String text() {
    return text;
  }

  Object evaluate(Map<String, Object> variables) throws Failure {
    if (program == null) {
      throw new Failure(problem, null);
    }
    if (!(variables.get("authorizer") instanceof RoleAuthorizer authorizer)) {
      return run(program, variables);
    }
    authorizer.begin();
    Object value = run(program, variables);
    if (authorizer.isOverLimit()) {
      throw new Failure("operation cancelled: actual cost limit exceeded", null);
    }
    return value;
  }

  private static Object run(Program program, Map<String, Object> variables) throws Failure {
    try {
      return program.eval(variables);
    } catch (CelEvaluationException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  boolean holds(Map<String, Object> variables) throws Failure {
    return Boolean.TRUE.equals(evaluate(variables));
  }
}
