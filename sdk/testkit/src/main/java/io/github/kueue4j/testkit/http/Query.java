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
package io.github.kueue4j.testkit.http;

import io.github.kueue4j.testkit.status.ApiErrors;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** The parameters of a request's URL. */
record Query(Fields fields) {

  /** The first value, empty if the parameter is absent. */
  String text(String name) {
    Fields.@Nullable Field field = fields.get(name);
    String value = field == null ? null : field.getValue();
    return value == null ? "" : value;
  }

  List<String> all(String name) {
    Fields.@Nullable Field field = fields.get(name);
    return field == null ? List.of() : field.getValues();
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  boolean flag(String name) {
    return Set.of("true", "1", "t", "T", "TRUE", "True").contains(text(name));
  }

  /** A whole number of at least 0; the fallback if the parameter is absent. */
  long number(String name, long fallback) {
    String value = text(name);
    if (value.isEmpty()) {
      return fallback;
    }
    if (!value.matches("[0-9]{1,18}")) {
      throw ApiErrors.badRequest(
          "strconv.ParseInt: parsing \"" + value + "\": invalid syntax (parameter " + name + ")");
    }
    return Long.parseLong(value);
  }
}
