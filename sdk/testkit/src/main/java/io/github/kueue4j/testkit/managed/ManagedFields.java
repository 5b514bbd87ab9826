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
package io.github.kueue4j.testkit.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** Who owns which fields of an object: what {@code metadata.managedFields} says. */
@API(status = API.Status.INTERNAL)
public record ManagedFields(List<Entry> entries) {
  /** Nobody owns anything. */
  public static final ManagedFields NONE = new ManagedFields(List.of());

  /** So many managers that don't apply are kept apart; the oldest ones beyond become one. */
  private static final int MAX_UPDATERS = 10;

  private static final String ANCIENT = "ancient-changes";

  private static final Comparator<Entry> ORDER =
      Comparator.comparing((Entry entry) -> entry.operation)
          .thenComparing(Entry::time)
          .thenComparing(Entry::manager)
          .thenComparing(Entry::apiVersion)
          .thenComparing(Entry::subresource);

  /** How a manager came to own its fields. */
  enum Operation {
    APPLY("Apply"),
    UPDATE("Update");

    private final String word;

    Operation(String word) {
      this.word = word;
    }
  }

  /**
   * One manager's fields.
   *
   * @param time of its last write in the API's form, empty if unknown
   */
  record Entry(
      String manager,
      Operation operation,
      String apiVersion,
      String time,
      String subresource,
      FieldSet fields) {

    Entry with(FieldSet others) {
      return new Entry(manager, operation, apiVersion, time, subresource, others);
    }

    /** Whether this entry is where the fields of such a write belong. */
    boolean isOf(FieldOwner owner, Operation how) {
      return operation == how
          && manager.equals(owner.manager())
          && subresource.equals(owner.subresource())
          && (how == Operation.APPLY || apiVersion.equals(owner.apiVersion()));
    }

    /** The owner as messages show it. */
    String readable() {
      return "\""
          + manager
          + "\""
          + (subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"")
          + (operation == Operation.UPDATE ? " using " + apiVersion : "");
    }
  }

  public ManagedFields {
    entries = List.copyOf(entries);
  }

  /** What an object says; empty if what stands there is malformed. */
  public static Optional<ManagedFields> read(ObjectNode object) {
    JsonNode list = Trees.metadata(object).path("managedFields");
    List<Entry> entries = new ArrayList<>();
    for (JsonNode entry : list) {
      JsonNode fields = entry.path("fieldsV1");
      Optional<Operation> operation = operation(Trees.text(entry, "operation"));
      if (operation.isEmpty()
          || !Trees.text(entry, "fieldsType").equals("FieldsV1")
          || !(fields instanceof ObjectNode set)) {
        return Optional.empty();
      }
      entries.add(
          new Entry(
              Trees.text(entry, "manager"),
              operation.get(),
              Trees.text(entry, "apiVersion"),
              Trees.text(entry, "time"),
              Trees.text(entry, "subresource"),
              new FieldSet(set)));
    }
    return Optional.of(new ManagedFields(entries));
  }

  private static Optional<Operation> operation(String word) {
    return switch (word) {
      case "Apply" -> Optional.of(Operation.APPLY);
      case "Update" -> Optional.of(Operation.UPDATE);
      default -> Optional.empty();
    };
  }

  /** Whether every set is one that could have come from here. */
  boolean isWellFormed() {
    return entries.stream().allMatch(entry -> FieldSet.isWellFormed(entry.fields().json()));
  }

  /** The object with these owners; no field at all if there are none. */
  public ObjectNode in(ObjectNode object) {
    ObjectNode metadata = Trees.fresh(Trees.metadata(object));
    if (entries.isEmpty()) {
      metadata.remove("managedFields");
    } else {
      metadata.set("managedFields", json());
    }
    return Trees.withMetadata(object, metadata);
  }

  private ArrayNode json() {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Entry entry : entries) {
      ObjectNode node = list.addObject();
      node.put("manager", entry.manager).put("operation", entry.operation.word);
      node.put("apiVersion", entry.apiVersion);
      if (!entry.time.isEmpty()) {
        node.put("time", entry.time);
      }
      node.put("fieldsType", "FieldsV1");
      node.set("fieldsV1", entry.fields.json());
      if (!entry.subresource.isEmpty()) {
        node.put("subresource", entry.subresource);
      }
    }
    return list;
  }

  /** What one manager owns by one operation. */
  FieldSet of(FieldOwner owner, Operation operation) {
    return entries.stream()
        .filter(entry -> entry.isOf(owner, operation))
        .map(Entry::fields)
        .findFirst()
        .orElse(FieldSet.EMPTY);
  }

  FieldSet all() {
    return entries.stream().map(Entry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
  }

  /** Changes what everybody but one manager owns. */
  ManagedFields others(FieldOwner owner, Operation operation, UnaryOperator<FieldSet> change) {
    return new ManagedFields(
        entries.stream()
            .map(
                entry ->
                    entry.isOf(owner, operation) ? entry : entry.with(change.apply(entry.fields())))
            .filter(entry -> !entry.fields().isEmpty())
            .toList());
  }

  /** With another set for one manager, whose last write was at this time. */
  ManagedFields with(FieldOwner owner, Operation operation, FieldSet fields, String time) {
    List<Entry> result = new ArrayList<>(entries);
    result.removeIf(entry -> entry.isOf(owner, operation));
    if (!fields.isEmpty()) {
      result.add(
          new Entry(
              owner.manager(), operation, owner.apiVersion(), time, owner.subresource(), fields));
    }
    result.sort(ORDER);
    return new ManagedFields(result);
  }

  /** When a manager last wrote, empty if it never did. */
  String timeOf(FieldOwner owner, Operation operation) {
    return entries.stream()
        .filter(entry -> entry.isOf(owner, operation))
        .map(Entry::time)
        .findFirst()
        .orElse("");
  }

  /** With the oldest of too many managers that don't apply made into one. */
  ManagedFields capped() {
    List<Entry> updaters =
        entries.stream().filter(entry -> entry.operation == Operation.UPDATE).toList();
    if (updaters.size() <= MAX_UPDATERS) {
      return this;
    }
    // Entries are sorted by time: the first ones are the oldest.
    List<Entry> old = updaters.subList(0, updaters.size() - MAX_UPDATERS + 1);
    Entry last = old.get(old.size() - 1);
    FieldSet fields = old.stream().map(Entry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
    List<Entry> result = new ArrayList<>(entries);
    result.removeAll(old);
    result.add(
        new Entry(ANCIENT, Operation.UPDATE, last.apiVersion, last.time, last.subresource, fields));
    result.sort(ORDER);
    return new ManagedFields(result);
  }
}
