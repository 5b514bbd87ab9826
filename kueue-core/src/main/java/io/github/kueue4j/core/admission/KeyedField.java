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
 * Where a field is, whatever its place in a list: elements are named by what identifies them, so
 * that the same field is found again after others were added, removed or put in another order.
 */
final class KeyedField {
  private static final Pattern STEP = Pattern.compile("\\[([^\\]]*)]|\\.?([^.\\[]+)");
  private static final List<String> KEYS = List.of("name", "type", "key");

  /** Of an element that nothing identifies but what it holds. */
  private static final String ANY = "*";

  private KeyedField() {}

  /**
   * A path with keys in the place of numbers.
   *
   * @param field such as {@code spec.podSets[0].minCount}; what isn't in the object stays as it is
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
