// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import dev.cel.common.CelOptions;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import org.apiguardian.api.API;

/**
 * CEL with the libraries that Kubernetes adds: optional values, strings, sets, two-variable
 * comprehensions, lists, regular expressions, URLs, quantities, IP addresses and ranges, and the
 * authorizer's checks.
 *
 * <p>Source: Kubernetes documentation, "Common Expression Language in Kubernetes".
 */
@API(status = API.Status.INTERNAL)
public final class KubernetesCel {

  /** Rules are refused beyond this many steps instead of holding up the server. */
  private static final int MAX_ITERATIONS = 1_000_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableOptionalSyntax(true)
          .comprehensionMaxIterations(MAX_ITERATIONS)
          .build();

  private static final FunctionSet FUNCTIONS = functions();
  private static final CelCompiler COMPILER = newCompiler();
  private static final CelRuntime RUNTIME = newRuntime();

  private KubernetesCel() {}

  /** A compiler to derive others from, with variables and types of their own. */
  public static CelCompiler compiler() {
    return COMPILER;
  }

  /** The runtime for all programs. */
  public static CelRuntime runtime() {
    return RUNTIME;
  }

  private static FunctionSet functions() {
    FunctionSet set = new FunctionSet();
    AuthorizerFunctions.addTo(set);
    FormatFunction.addTo(set);
    ListFunctions.addTo(set);
    NetworkFunctions.addTo(set);
    QuantityFunctions.addTo(set);
    RegexFunctions.addTo(set);
    UrlFunctions.addTo(set);
    return set;
  }

  private static CelCompiler newCompiler() {
    return CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .addLibraries(
            CelExtensions.strings(),
            CelExtensions.optional(),
            CelExtensions.sets(OPTIONS),
            CelExtensions.comprehensions())
        .addFunctionDeclarations(FUNCTIONS.declarations())
        .build();
  }

  private static CelRuntime newRuntime() {
    return CelRuntimeFactory.plannerRuntimeBuilder()
        .setOptions(OPTIONS)
        .addLibraries(
            CelExtensions.strings(),
            CelExtensions.optional(),
            CelExtensions.sets(OPTIONS),
            CelExtensions.comprehensions())
        .addFunctionBindings(FUNCTIONS.bindings())
        .build();
  }
}
