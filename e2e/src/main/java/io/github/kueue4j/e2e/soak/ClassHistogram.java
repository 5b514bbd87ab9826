// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The live objects of a Java process by class.
 *
 * @param classes bytes by name
 */
record ClassHistogram(Map<String, Long> classes) {
  /** " 1: 12345 678901 [B (java.base@25)". */
  private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");

  /** What the collector puts into gaps counts as objects, but holds nothing. */
  private static final String FILLER = "jdk.internal.vm.Filler";

  ClassHistogram {
    classes = Map.copyOf(classes);
  }

  /** Reads what {@code jcmd GC.class_histogram} prints. */
  static ClassHistogram parse(String text) {
    Map<String, Long> classes = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && !matcher.group(2).contains(FILLER)) {
        classes.merge(matcher.group(2), Long.valueOf(matcher.group(1)), Long::sum);
      }
    }
    return new ClassHistogram(classes);
  }

  /** All of them together. */
  long bytes() {
    return classes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The classes that have grown most since, a line each. */
  String growthSince(ClassHistogram before, int most) {
    return classes.entrySet().stream()
        .map(
            one ->
                Map.entry(
                    one.getKey(), one.getValue() - before.classes.getOrDefault(one.getKey(), 0L)))
        .filter(one -> one.getValue() > 0)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(most)
        .map(
            one ->
                String.format(Locale.ROOT, "%,12d bytes more  %s%n", one.getValue(), one.getKey()))
        .collect(Collectors.joining());
  }
}
