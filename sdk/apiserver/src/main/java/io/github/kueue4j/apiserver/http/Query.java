// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.status.ApiErrors;
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
