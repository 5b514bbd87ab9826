// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;

/**
 * A version of a Workload that another client than the kit wrote.
 *
 * @param before the version before
 * @param after the version that it made
 */
record ObservedWrite(ObjectNode before, ObjectNode after) {

  static JsonNode entry(ObjectNode workload, String check) {
    for (JsonNode entry : workload.path("status").path("admissionChecks")) {
      if (Trees.text(entry, "name").equals(check)) {
        return entry;
      }
    }
    return MissingNode.getInstance();
  }

  /** The state that this check's entry came to have; empty if it has none. */
  String state(String check) {
    return Trees.text(entry(after, check), "state");
  }

  /** The message of this check's entry afterwards; empty if nothing. */
  String message(String check) {
    return Trees.text(entry(after, check), "message");
  }

  /** Whether this check's entry is another one than before. */
  boolean changes(String check) {
    return !entry(before, check).equals(entry(after, check));
  }

  /** Whether this field of the status is another one than before. */
  boolean changesStatus(String field) {
    return !before.path("status").path(field).equals(after.path("status").path(field));
  }

  /** Since when a condition has had its status, before the write; empty if it was not there. */
  String conditionBefore(String type) {
    return Trees.text(condition(type), "lastTransitionTime");
  }

  /** Whether a condition was True before the write. */
  boolean isTrueBefore(String type) {
    return Trees.text(condition(type), "status").equals("True");
  }

  private JsonNode condition(String type) {
    for (JsonNode condition : before.path("status").path("conditions")) {
      if (Trees.text(condition, "type").equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** For the report. */
  String describe(String check) {
    return Trees.name(after)
        + ": "
        + text(entry(before, check))
        + " became "
        + text(entry(after, check));
  }

  private static String text(JsonNode entry) {
    return entry.isMissingNode() ? "no entry" : entry.toString();
  }
}
