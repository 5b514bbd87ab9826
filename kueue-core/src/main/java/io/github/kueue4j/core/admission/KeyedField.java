// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field path that is independent of positions in lists: elements are identified by their keys, so
 * that the same field is found again after elements were added, removed or reordered.
 */
final class KeyedField {
  private static final Pattern STEP = Pattern.compile("\\[([^\\]]*)]|\\.?([^.\\[]+)");
  private static final List<String> KEYS = List.of("name", "type", "key");

  /** For an element without a key, which is identified by its content. */
  private static final String ANY = "*";

  private KeyedField() {}

  /**
   * A path with keys instead of indexes.
   *
   * @param field such as {@code spec.podSets[0].minCount}; parts that the object doesn't contain
   *     are kept
   */
  static String of(JsonObject object, String field) {
    StringBuilder keyed = new StringBuilder();
    JsonElement at = object;
    Matcher step = STEP.matcher(field);
    while (step.find()) {
      String bracket = step.group(1);
      if (at instanceof JsonArray list && bracket != null && bracket.matches("\\d{1,9}")) {
        int index = Integer.parseInt(bracket);
        at = index < list.size() ? list.get(index) : null;
        keyed.append('[').append(key(at)).append(']');
      } else {
        at =
            at instanceof JsonObject map
                ? map.get(bracket == null ? step.group(2) : bracket)
                : null;
        keyed.append(step.group());
      }
    }
    return keyed.toString();
  }

  private static String key(@Nullable JsonElement element) {
    if (element instanceof JsonObject object) {
      for (String key : KEYS) {
        if (object.get(key) instanceof JsonPrimitive value) {
          return key + "=" + value.getAsString();
        }
      }
    }
    return ANY;
  }
}
