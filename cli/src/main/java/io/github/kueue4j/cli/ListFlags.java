// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.objects.StoredObject;
import io.github.kueue4j.cli.terminal.ObjectList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that list objects. */
final class ListFlags {
  /** How objects are listed. */
  enum ListFormat {
    TABLE,
    WIDE,
    JSON,
    YAML;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin private NamespaceOptions namespaces = new NamespaceOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, wide, json or yaml (default: table)")
  private ListFormat format = ListFormat.TABLE;

  @Option(
      names = {"-w", "--watch"},
      description = "after the table, also rows that change, until Ctrl-C")
  private boolean watch;

  boolean watch() {
    return watch;
  }

  NamespaceOptions namespaces() {
    return namespaces;
  }

  boolean wide() {
    return format == ListFormat.WIDE;
  }

  /**
   * Refuses what contradicts itself.
   *
   * @throws UserError if two of the options exclude each other
   */
  void check() {
    namespaces.check();
    if (watch && !isTable()) {
      throw new UserError(
          "--watch prints rows of a table, not " + format + "; leave out one of --watch and -o");
    }
  }

  /** The objects themselves as the format has them; empty if a table is wanted. */
  Optional<String> objects(Supplier<List<StoredObject>> items) {
    return switch (format) {
      case TABLE, WIDE -> Optional.empty();
      case JSON -> Optional.of(new ObjectList(items.get()).json());
      case YAML -> Optional.of(new ObjectList(items.get()).yaml());
    };
  }

  private boolean isTable() {
    return format == ListFormat.TABLE || wide();
  }
}
