// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How names of properties are written in CEL, where only identifiers can be selected.
 *
 * <p>Source: Kubernetes documentation, CustomResourceDefinitions, "Validation rules", on accessible
 * property names.
 */
final class PropertyNames {

  private static final Pattern WRITABLE = Pattern.compile("[a-zA-Z_.\\-/][a-zA-Z0-9_.\\-/]*");
  private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private PropertyNames() {}

  /** The name in CEL; empty if rules can't reach such a property. */
  static Optional<String> inCel(String property) {
    if (RESERVED.contains(property)) {
      return Optional.of("__" + property + "__");
    }
    if (IDENTIFIER.matcher(property).matches() && !property.contains("__")) {
      return Optional.of(property);
    }
    if (!WRITABLE.matcher(property).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        property
            .replace("__", "__underscores__")
            .replace(".", "__dot__")
            .replace("-", "__dash__")
            .replace("/", "__slash__"));
  }
}
