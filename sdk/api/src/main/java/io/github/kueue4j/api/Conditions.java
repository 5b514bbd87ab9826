// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Finds and replaces conditions in lists that are keyed by type. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Conditions {

  private Conditions() {}

  /** The condition of this type. */
  public static Optional<Condition> find(List<Condition> conditions, String type) {
    return Optional.ofNullable(get(conditions, type));
  }

  private static @Nullable Condition get(List<Condition> conditions, String type) {
    // Facts are read from conditions on every path: a stream or an iterator for each would cost
    // more
    // than it says.
    for (int i = 0; i < conditions.size(); i++) {
      Condition condition = conditions.get(i);
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  /** Whether the list has a condition of this type with status {@code True}. */
  public static boolean isTrue(List<Condition> conditions, String type) {
    Condition found = get(conditions, type);
    return found != null && found.isTrue();
  }

  /**
   * Whether the list has a condition of this type with status {@code False}; absent is not False.
   */
  public static boolean isFalse(List<Condition> conditions, String type) {
    Condition found = get(conditions, type);
    return found != null && found.isFalse();
  }

  /** Whether the list has a condition of this type with this status and reason. */
  public static boolean is(List<Condition> conditions, String type, String status, String reason) {
    Condition found = get(conditions, type);
    return found != null && found.status().equals(status) && found.reason().equals(reason);
  }

  /**
   * A copy of the list in which {@code condition} takes the place of the one of its type, or comes
   * last. If the status doesn't change, the old {@code lastTransitionTime} is kept: it is the time
   * of the last change of the status, not of the last write.
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
