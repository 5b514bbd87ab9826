// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two views of one object: as JSON patch operations and, where that is
 * possible without loss, as a merge patch.
 *
 * <p>Rejected: a general JSON diff (longest common subsequence). It moves and replaces list entries
 * as a whole, so another controller's condition that merely changed its position would be rewritten
 * without the fields that this program doesn't know.
 */
final class ObjectDiff {

  /** Fields that identify an element of a list, in the order in which they are tried. */
  private static final List<String> KEYS = List.of("name", "type", "uid", "key");

  /** Lists that are maps by the API's definition, so their order is insignificant. */
  private static final Set<String> UNORDERED = Set.of("conditions", "admissionChecks");

  private final List<JsonPatch.Operation> operations = new ArrayList<>();
  private final JsonObject mergeDocument = new JsonObject();

  /**
   * Whether members are added to an object that the view shows as empty or absent, so that it may
   * be missing on the server.
   */
  private boolean fillsEmptyObject;

  /** Whether an element of a list is changed in place, which a merge patch can't express. */
  private boolean changesElement;

  private ObjectDiff() {}

  static ObjectDiff between(JsonObject before, JsonObject after) {
    var diff = new ObjectDiff();
    diff.objects(JsonPointer.ROOT, before, after, diff.mergeDocument);
    return diff;
  }

  boolean isEmpty() {
    return operations.isEmpty();
  }

  List<JsonPatch.Operation> operations() {
    return operations;
  }

  boolean needsMerge() {
    return fillsEmptyObject && !changesElement;
  }

  JsonObject mergeDocument() {
    return mergeDocument.deepCopy();
  }

  private void objects(JsonPointer at, JsonObject before, JsonObject after, JsonObject merge) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      JsonPointer path = at.member(name);
      @Nullable JsonElement from = before.get(name);
      @Nullable JsonElement to = after.get(name);
      if (to == null || to.isJsonNull()) {
        if (from != null && !from.isJsonNull()) {
          operations.add(new JsonPatch.Operation(JsonPatch.Kind.REMOVE, path.text(), null));
          merge.add(name, JsonNull.INSTANCE);
        }
      } else if (!to.equals(from)) {
        member(path, name, from, to, merge);
      }
    }
  }

  private void member(
      JsonPointer path, String name, @Nullable JsonElement from, JsonElement to, JsonObject merge) {
    if (to instanceof JsonObject toObject) {
      if (from instanceof JsonObject fromObject && !fromObject.isEmpty()) {
        var nested = new JsonObject();
        objects(path, fromObject, toObject, nested);
        if (!nested.isEmpty()) {
          merge.add(name, nested);
        }
        return;
      }
      fillsEmptyObject |= from == null || from instanceof JsonObject;
    } else if (to instanceof JsonArray toArray
        && from instanceof JsonArray fromArray
        && !fromArray.isEmpty()
        && elements(path, name, fromArray, toArray)) {
      changesElement = true;
      return;
    }
    // "add" also replaces a member. A "replace" could fail, because the view may contain a default
    // that the server doesn't store.
    operations.add(new JsonPatch.Operation(JsonPatch.Kind.ADD, path.text(), to));
    merge.add(name, to.deepCopy());
  }

  /** Compares two lists element by element; false if the list has to be set as a whole. */
  private boolean elements(JsonPointer path, String name, JsonArray before, JsonArray after) {
    for (String key : KEYS) {
      @Nullable Map<String, Integer> from = positions(before, key);
      @Nullable Map<String, Integer> to = positions(after, key);
      if (from != null && to != null) {
        return keyed(path, name, before, from, after, to);
      }
    }
    boolean sameObjects = before.size() == after.size() && allObjects(before) && allObjects(after);
    if (sameObjects) {
      for (int i = 0; i < before.size(); i++) {
        JsonObject element = before.get(i).getAsJsonObject();
        objects(path.element(i), element, after.get(i).getAsJsonObject(), new JsonObject());
      }
    }
    return sameObjects;
  }

  private boolean keyed(
      JsonPointer path,
      String name,
      JsonArray before,
      Map<String, Integer> from,
      JsonArray after,
      Map<String, Integer> to) {
    List<String> result = new ArrayList<>(from.keySet());
    result.retainAll(to.keySet());
    List<String> added = new ArrayList<>(to.keySet());
    added.removeAll(from.keySet());
    result.addAll(added);
    if (!UNORDERED.contains(name) && !result.equals(List.copyOf(to.keySet()))) {
      return false;
    }
    List<Integer> removed = new ArrayList<>();
    from.forEach(
        (key, index) -> {
          @Nullable Integer target = to.get(key);
          if (target == null) {
            removed.addFirst(index);
          } else {
            JsonObject element = before.get(index).getAsJsonObject();
            JsonObject wanted = after.get(target).getAsJsonObject();
            objects(path.element(index), element, wanted, new JsonObject());
          }
        });
    // From the last to the first, so that the remaining indexes stay valid.
    for (int index : removed) {
      operations.add(
          new JsonPatch.Operation(JsonPatch.Kind.REMOVE, path.element(index).text(), null));
    }
    for (String key : added) {
      JsonElement element = after.get(to.getOrDefault(key, 0));
      operations.add(new JsonPatch.Operation(JsonPatch.Kind.ADD, path.end().text(), element));
    }
    return true;
  }

  /** The index of each element by its key, in the list's order; null if the key is not unique. */
  private static @Nullable Map<String, Integer> positions(JsonArray list, String key) {
    Map<String, Integer> positions = new LinkedHashMap<>();
    for (int i = 0; i < list.size(); i++) {
      boolean unique =
          list.get(i) instanceof JsonObject element
              && element.get(key) instanceof JsonPrimitive value
              && value.isString()
              && positions.putIfAbsent(value.getAsString(), i) == null;
      if (!unique) {
        return null;
      }
    }
    return positions;
  }

  private static boolean allObjects(JsonArray list) {
    return list.asList().stream().allMatch(JsonElement::isJsonObject);
  }
}
