// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Workload's status that is being edited: a copy of the one that was read, in which everything
 * that a step doesn't name stays as it is, unknown fields included.
 */
final class StatusDraft {
  private final ObjectNode status;
  private final Instant now;

  StatusDraft(ObjectNode workload, Instant now) {
    this.status = Trees.object(workload, "status").deepCopy();
    this.now = now;
  }

  /** The status of an object, to be read. */
  static StatusDraft of(ObjectNode object) {
    return new StatusDraft(object, Instant.EPOCH);
  }

  ObjectNode tree() {
    return status;
  }

  Instant now() {
    return now;
  }

  /** Sets a condition; its time moves only with its status. */
  StatusDraft condition(String type, boolean holds, String reason, String message) {
    return condition(type, holds, reason, message, now);
  }

  StatusDraft condition(String type, boolean holds, String reason, String message, Instant since) {
    String value = holds ? "True" : "False";
    ArrayNode conditions = status.withArray("conditions");
    ObjectNode condition = null;
    for (JsonNode each : conditions) {
      if (Trees.text(each, "type").equals(type) && each instanceof ObjectNode found) {
        condition = found;
      }
    }
    if (condition == null) {
      condition = conditions.addObject().put("type", type);
    }
    if (!Trees.text(condition, "status").equals(value)) {
      condition.put("lastTransitionTime", Trees.time(since));
    }
    condition.put("status", value).put("reason", reason).put("message", message);
    return this;
  }

  StatusDraft withoutCondition(String type) {
    ArrayNode conditions = status.withArray("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--) {
      if (Trees.text(conditions.get(i), "type").equals(type)) {
        conditions.remove(i);
      }
    }
    return this;
  }

  /** Sets a condition together with its time, whatever it was. */
  StatusDraft conditionSince(String type, boolean holds, String reason, Instant since) {
    withoutCondition(type);
    return condition(type, holds, reason, "", since);
  }

  boolean isTrue(String type) {
    return since(type, "True").isPresent();
  }

  /** Since when the condition has had this status. */
  Optional<Instant> since(String type, String value) {
    for (JsonNode each : status.path("conditions")) {
      if (Trees.text(each, "type").equals(type) && Trees.text(each, "status").equals(value)) {
        return Optional.of(Instant.parse(Trees.text(each, "lastTransitionTime")));
      }
    }
    return Optional.empty();
  }

  /** Since when the condition has had its status, whichever it is. */
  Optional<Instant> since(String type) {
    return since(type, "True").or(() -> since(type, "False"));
  }

  String reason(String type) {
    for (JsonNode each : status.path("conditions")) {
      if (Trees.text(each, "type").equals(type)) {
        return Trees.text(each, "reason");
      }
    }
    return "";
  }

  List<ObjectNode> entries() {
    List<ObjectNode> entries = new ArrayList<>();
    for (JsonNode each : status.withArray("admissionChecks")) {
      if (each instanceof ObjectNode entry) {
        entries.add(entry);
      }
    }
    return entries;
  }

  Optional<ObjectNode> entry(String check) {
    return entries().stream().filter(each -> Trees.text(each, "name").equals(check)).findFirst();
  }

  boolean anyIn(String state) {
    return entries().stream().anyMatch(entry -> Trees.text(entry, "state").equals(state));
  }

  /** Exactly these entries, each Pending since then; a Pending one keeps its retryCount. */
  StatusDraft ask(List<String> checks, Instant since) {
    List<ObjectNode> asked = new ArrayList<>();
    for (String check : checks) {
      ObjectNode entry = Trees.empty().put("name", check).put("state", "Pending");
      entry.put("lastTransitionTime", Trees.time(since)).put("message", "");
      entry(check)
          .filter(old -> Trees.text(old, "state").equals("Pending") && old.has("retryCount"))
          .ifPresent(old -> entry.set("retryCount", old.get("retryCount")));
      asked.add(entry);
    }
    status.putArray("admissionChecks").addAll(asked);
    return this;
  }

  /** Every entry that isn't Pending becomes it; a Retry counts. */
  StatusDraft resetEntries(boolean counting) {
    for (ObjectNode entry : entries()) {
      String state = Trees.text(entry, "state");
      if (!state.equals("Pending")) {
        entry.put("lastTransitionTime", Trees.time(now)).put("state", "Pending");
      }
      if (counting && state.equals("Retry")) {
        entry.put("retryCount", entry.path("retryCount").asInt(0) + 1);
      } else if (!counting || !state.equals("Pending")) {
        entry.remove("retryCount");
      }
      entry.remove(List.of("requeueAfterSeconds", "podSetUpdates"));
    }
    return this;
  }

  /** Every Ready, which was about the reservation that ends, becomes Pending. */
  private void resetReady() {
    for (ObjectNode entry : entries()) {
      if (Trees.text(entry, "state").equals("Ready")) {
        entry.put("lastTransitionTime", Trees.time(now)).put("state", "Pending");
        entry.remove(List.of("retryCount", "requeueAfterSeconds", "podSetUpdates"));
      }
    }
  }

  /** What is over when the checks have all said Ready. */
  StatusDraft forgetCounts() {
    for (ObjectNode entry : entries()) {
      entry.remove(List.of("retryCount", "requeueAfterSeconds"));
    }
    return this;
  }

  /** When the delays of all Retries are over; empty without a delayed one. */
  Optional<Instant> deadline() {
    return entries().stream()
        .filter(entry -> Trees.text(entry, "state").equals("Retry"))
        .filter(entry -> entry.has("requeueAfterSeconds"))
        .map(
            entry ->
                Instant.parse(Trees.text(entry, "lastTransitionTime"))
                    .plusSeconds(entry.path("requeueAfterSeconds").asLong()))
        .max(Instant::compareTo);
  }

  StatusDraft requeueAt(@Nullable Instant when) {
    if (when == null) {
      status.remove("requeueState");
    } else {
      status.putObject("requeueState").put("requeueAt", Trees.time(when));
    }
    return this;
  }

  StatusDraft releaseQuota(String message) {
    status.remove("admission");
    resetReady();
    return condition("QuotaReserved", false, "PendingEvaluation", message);
  }

  /** A merge patch that makes of the status that was read what is now drafted. */
  ObjectNode patchAgainst(ObjectNode workload) {
    ObjectNode before = Trees.object(workload, "status");
    ObjectNode patch = Trees.empty();
    patch
        .putObject("metadata")
        .put("resourceVersion", Trees.text(Trees.metadata(workload), "resourceVersion"));
    ObjectNode changes = patch.putObject("status");
    for (var field : status.properties()) {
      if (!field.getValue().equals(before.get(field.getKey()))) {
        changes.set(field.getKey(), field.getValue());
      }
    }
    for (var field : before.properties()) {
      if (!status.has(field.getKey())) {
        changes.putNull(field.getKey());
      }
    }
    return patch;
  }
}
