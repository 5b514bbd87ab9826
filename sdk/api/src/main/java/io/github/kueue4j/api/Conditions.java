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

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Looking up and replacing conditions in a list that is keyed by type. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Conditions {

  private Conditions() {}

  /** The condition of this type. */
  public static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
  }

  /** Whether a condition of this type is there with status {@code True}. */
  public static boolean isTrue(List<Condition> conditions, String type) {
    return find(conditions, type).filter(Condition::isTrue).isPresent();
  }

  /** Whether a condition of this type is there with status {@code False}; absent is not False. */
  public static boolean isFalse(List<Condition> conditions, String type) {
    return find(conditions, type).filter(Condition::isFalse).isPresent();
  }

  /** Whether a condition of this type is there with this status and reason. */
  public static boolean is(List<Condition> conditions, String type, String status, String reason) {
    return find(conditions, type)
        .filter(found -> found.status().equals(status) && found.reason().equals(reason))
        .isPresent();
  }

  /**
   * A copy of the list in which {@code condition} takes the place of the one of its type, or comes
   * last. While the status stays the same, so does the old {@code lastTransitionTime}: it says when
   * the status changed, not when it was written.
   */
  public static List<Condition> set(List<Condition> conditions, Condition condition) {
    Condition replacement =
        find(conditions, condition.type())
            .filter(old -> old.status().equals(condition.status()))
            .map(old -> condition.withLastTransitionTime(old.lastTransitionTime()))
            .orElse(condition);
    return Keyed.replaceOrAppend(conditions, Condition::type, replacement);
  }

  /** A copy of the list without the condition of this type. */
  public static List<Condition> remove(List<Condition> conditions, String type) {
    return conditions.stream().filter(condition -> !condition.type().equals(type)).toList();
  }
}
