// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.observe.explain.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the cells of a row, or of a header. */
final class Cells {
  /** What kubectl prints where there is no value. */
  static final String NONE = "<none>";

  private final List<String> cells = new ArrayList<>();

  static Cells of(@Nullable Object... values) {
    Cells cells = new Cells();
    return cells.and(values);
  }

  /** Appends; null and empty values are printed as {@link #NONE}. */
  Cells and(@Nullable Object... values) {
    for (Object value : values) {
      String text = value == null ? "" : value.toString();
      cells.add(text.isEmpty() ? NONE : line(text));
    }
    return this;
  }

  Cells andIf(boolean wanted, @Nullable Object... values) {
    return wanted ? and(values) : this;
  }

  /** Appends a text that stays empty if it is, for the last column. */
  Cells text(String text) {
    cells.add(line(text));
    return this;
  }

  /** On one line, and without the control characters by which a text could change the terminal. */
  private static String line(String text) {
    return text.replaceAll("[\\s\\p{Cc}]+", " ");
  }

  List<String> list() {
    return List.copyOf(cells);
  }

  static String age(Instant since, Instant now) {
    Duration age = Duration.between(since, now);
    return DurationText.words(age.isNegative() ? Duration.ZERO : age);
  }
}
