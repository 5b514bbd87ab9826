// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.terminal.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The option of commands whose answer is text or a tree. A mixin of picocli. */
final class FormatOption {
  /** How an answer is printed. */
  enum Format {
    TEXT,
    JSON,
    YAML;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, json or yaml (default: text)")
  private Format format = Format.TEXT;

  /** The answer as text for a person, or as a tree for a program. */
  String print(Supplier<String> text, Supplier<Map<String, Object>> tree) {
    return switch (format) {
      case TEXT -> text.get();
      case JSON -> ExplanationText.json(tree.get());
      case YAML -> ExplanationText.yaml(tree.get());
    };
  }

  /** The same, where the text is a table. */
  String print(Table table, Supplier<List<List<String>>> rows, Supplier<Map<String, Object>> tree) {
    return print(
        () ->
            table.lines(rows.get()).stream().map(line -> line + '\n').collect(Collectors.joining()),
        tree);
  }
}
