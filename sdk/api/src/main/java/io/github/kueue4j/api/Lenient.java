// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conversions of absent and invalid input for the compact constructors of the records: a parser
 * passes null for every absent field, and lists and maps may contain nulls.
 */
final class Lenient {

  private Lenient() {}

  /** An unmodifiable copy without nulls; empty when absent. */
  static <T> List<T> list(@Nullable Collection<T> values) {
    if (values == null || values.isEmpty()) {
      return List.of();
    }
    // List.copyOf doesn't copy an unmodifiable list.
    return List.copyOf(
        hasNull(values) ? values.stream().filter(Objects::nonNull).toList() : values);
  }

  private static boolean hasNull(Collection<?> values) {
    for (Object value : values) {
      if (value == null) {
        return true;
      }
    }
    return false;
  }

  /** An unmodifiable copy in the same order, without null keys and values; empty when absent. */
  static <K, V> Map<K, V> map(@Nullable Map<K, V> values) {
    if (values == null || values.isEmpty()) {
      return Map.of();
    }
    Map<K, V> copy = LinkedHashMap.newLinkedHashMap(values.size());
    values.forEach(
        (key, value) -> {
          if (key != null && value != null) {
            copy.put(key, value);
          }
        });
    return Collections.unmodifiableMap(copy);
  }

  /** The text; empty when absent. */
  static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** The instant in whole seconds, as the API stores it. */
  static @Nullable Instant seconds(@Nullable Instant value) {
    return value == null ? null : value.truncatedTo(ChronoUnit.SECONDS);
  }

  /** The instant in whole seconds; the epoch when absent. */
  static Instant secondsOrEpoch(@Nullable Instant value) {
    return value == null ? Instant.EPOCH : value.truncatedTo(ChronoUnit.SECONDS);
  }
}
