/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
 * What the compact constructors of the records make of absent and odd input: a parser hands over
 * null for whatever an object leaves out, and nulls inside lists and maps.
 */
final class Lenient {

  private Lenient() {}

  /** An unmodifiable copy without nulls; empty when absent. */
  static <T> List<T> list(@Nullable Collection<T> values) {
    if (values == null || values.isEmpty()) {
      return List.of();
    }
    // Copies nothing if it is such a copy already.
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
