// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sets of completion indexes in the API's notation, such as {@code 0,2-4}. They are counted by
 * range, because a few characters can denote billions of indexes.
 */
final class CompletionIndexes {
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,10})(?:-([0-9]{1,10}))?");

  private CompletionIndexes() {}

  private record Range(long first, long last) {}

  /**
   * The size of the union of the sets; text that can't be parsed and indexes out of range are
   * ignored.
   *
   * @param completions of the Job; its indexes are from 0 to {@code completions} - 1
   */
  static int count(int completions, @Nullable String... sets) {
    List<Range> ranges = new ArrayList<>();
    for (String set : sets) {
      for (String part : (set == null ? "" : set).split(",", -1)) {
        range(part, completions - 1L).ifPresent(ranges::add);
      }
    }
    ranges.sort(Comparator.comparingLong(Range::first));
    long count = 0;
    long counted = -1;
    for (Range range : ranges) {
      long from = Math.max(range.first(), counted + 1);
      if (from <= range.last()) {
        count += range.last() - from + 1;
        counted = range.last();
      }
    }
    return (int) count;
  }

  private static Optional<Range> range(String part, long highest) {
    Matcher range = RANGE.matcher(part);
    if (!range.matches()) {
      return Optional.empty();
    }
    long first = Long.parseLong(range.group(1));
    long last = range.group(2) == null ? first : Long.parseLong(range.group(2));
    return Optional.of(new Range(first, Math.min(last, highest)));
  }
}
