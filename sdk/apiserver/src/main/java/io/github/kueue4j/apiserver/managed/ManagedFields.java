// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** The owners of an object's fields, as {@code metadata.managedFields} lists them. */
@API(status = API.Status.INTERNAL)
public record ManagedFields(List<ManagerEntry> entries) {
  /** No field has an owner. */
  public static final ManagedFields NONE = new ManagedFields(List.of());

  /** So many managers that don't apply are kept apart; the oldest ones beyond become one. */
  private static final int MAX_UPDATERS = 10;

  private static final String ANCIENT = "ancient-changes";

  private static final Comparator<ManagerEntry> ORDER =
      Comparator.comparing((ManagerEntry managerEntry) -> managerEntry.operation)
          .thenComparing(ManagerEntry::time)
          .thenComparing(ManagerEntry::manager)
          .thenComparing(ManagerEntry::apiVersion)
          .thenComparing(ManagerEntry::subresource);

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
  record ManagerEntry(
      String manager,
      Operation operation,
      String apiVersion,
      String time,
      String subresource,
      FieldSet fields) {

    ManagerEntry with(FieldSet others) {
      return new ManagerEntry(manager, operation, apiVersion, time, subresource, others);
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

  /** Reads the managed fields of an object; empty if what stands there is malformed. */
  public static Optional<ManagedFields> read(ObjectNode object) {
    JsonNode list = Trees.metadata(object).path("managedFields");
    List<ManagerEntry> entries = new ArrayList<>();
    for (JsonNode entry : list) {
      JsonNode fields = entry.path("fieldsV1");
      Optional<Operation> operation = operation(Trees.text(entry, "operation"));
      if (operation.isEmpty()
          || !Trees.text(entry, "fieldsType").equals("FieldsV1")
          || !(fields instanceof ObjectNode set)) {
        return Optional.empty();
      }
      entries.add(
          new ManagerEntry(
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
    return entries.stream()
        .allMatch(managerEntry -> FieldSet.isWellFormed(managerEntry.fields().json()));
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
    for (ManagerEntry managerEntry : entries) {
      ObjectNode node = list.addObject();
      node.put("manager", managerEntry.manager).put("operation", managerEntry.operation.word);
      node.put("apiVersion", managerEntry.apiVersion);
      if (!managerEntry.time.isEmpty()) {
        node.put("time", managerEntry.time);
      }
      node.put("fieldsType", "FieldsV1");
      node.set("fieldsV1", managerEntry.fields.json());
      if (!managerEntry.subresource.isEmpty()) {
        node.put("subresource", managerEntry.subresource);
      }
    }
    return list;
  }

  /** The fields that one manager owns by one operation. */
  FieldSet of(FieldOwner owner, Operation operation) {
    return entries.stream()
        .filter(managerEntry -> managerEntry.isOf(owner, operation))
        .map(ManagerEntry::fields)
        .findFirst()
        .orElse(FieldSet.EMPTY);
  }

  FieldSet all() {
    return entries.stream().map(ManagerEntry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
  }

  /** Changes what all managers but one own. */
  ManagedFields others(FieldOwner owner, Operation operation, UnaryOperator<FieldSet> change) {
    return new ManagedFields(
        entries.stream()
            .map(
                managerEntry ->
                    managerEntry.isOf(owner, operation)
                        ? managerEntry
                        : managerEntry.with(change.apply(managerEntry.fields())))
            .filter(managerEntry -> !managerEntry.fields().isEmpty())
            .toList());
  }

  /** With another set for one manager, whose last write was at this time. */
  ManagedFields with(FieldOwner owner, Operation operation, FieldSet fields, String time) {
    List<ManagerEntry> result = new ArrayList<>(entries);
    result.removeIf(managerEntry -> managerEntry.isOf(owner, operation));
    if (!fields.isEmpty()) {
      result.add(
          new ManagerEntry(
              owner.manager(), operation, owner.apiVersion(), time, owner.subresource(), fields));
    }
    result.sort(ORDER);
    return new ManagedFields(result);
  }

  /** When a manager last wrote, empty if it never did. */
  String timeOf(FieldOwner owner, Operation operation) {
    return entries.stream()
        .filter(managerEntry -> managerEntry.isOf(owner, operation))
        .map(ManagerEntry::time)
        .findFirst()
        .orElse("");
  }

  /** With the oldest of too many managers that don't apply made into one. */
  ManagedFields capped() {
    List<ManagerEntry> updaters =
        entries.stream()
            .filter(managerEntry -> managerEntry.operation == Operation.UPDATE)
            .toList();
    if (updaters.size() <= MAX_UPDATERS) {
      return this;
    }
    // Entries are sorted by time: the first ones are the oldest.
    List<ManagerEntry> old = updaters.subList(0, updaters.size() - MAX_UPDATERS + 1);
    ManagerEntry last = old.get(old.size() - 1);
    FieldSet fields =
        old.stream().map(ManagerEntry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
    List<ManagerEntry> result = new ArrayList<>(entries);
    result.removeAll(old);
    result.add(
        new ManagerEntry(
            ANCIENT, Operation.UPDATE, last.apiVersion, last.time, last.subresource, fields));
    result.sort(ORDER);
    return new ManagedFields(result);
  }
}
