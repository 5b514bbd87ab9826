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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * One fact that can be looked up.
 *
 * @param object where: {@code Kind/name}, or {@code Kind/namespace/name}
 * @param field which field of it, such as {@code status.conditions[Active]}
 * @param value what stands there, or that nothing does
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

  /** A condition in one line: status, reason, since when, message. */
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
