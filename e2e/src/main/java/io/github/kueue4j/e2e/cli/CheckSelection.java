// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.Converters;
import io.github.kueue4j.cli.components.CheckName;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;

/** Checks, separated by commas; a wrapper since picocli would split a collection itself. */
record CheckSelection(Set<CheckName> names) {
  static CheckSelection all() {
    return new CheckSelection(EnumSet.allOf(CheckName.class));
  }

  /** {@code budget,gpu}, {@code all} or {@code none}. */
  static final class Converter implements ITypeConverter<CheckSelection> {
    @Override
    public CheckSelection convert(String text) {
      if (text.equals("all")) {
        return all();
      }
      Set<CheckName> names = EnumSet.noneOf(CheckName.class);
      if (!text.equals("none")) {
        for (String word : text.split(",", -1)) {
          names.add(new Converters.Check().convert(word.strip()));
        }
      }
      return new CheckSelection(names);
    }
  }
}
