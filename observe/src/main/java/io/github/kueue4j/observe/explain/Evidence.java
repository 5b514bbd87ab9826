// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * One fact that the reader can look up in the cluster.
 *
 * @param object the object: {@code Kind/name}, or {@code Kind/namespace/name}
 * @param field path of the field, such as {@code status.conditions[Active]}
 * @param value of the field, or a note that it is absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Evidence(String object, String field, String value) {
  public Evidence {
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(value, "value");
  }

  static Evidence of(String kind, ObjectKey key, String field, String value) {
    return new Evidence(kind + "/" + key, field, value);
  }

  static Evidence of(String kind, String name, String field, String value) {
    return new Evidence(kind + "/" + name, field, value);
  }

  /** A condition in one line: status, reason, date, message. */
  static String words(Condition condition) {
    return String.join(
        " ",
        List.of(
            condition.status(),
            condition.reason(),
            "since "
                + condition.lastTransitionTime()
                + (condition.message().isEmpty() ? "" : ": " + condition.message())));
  }
}
