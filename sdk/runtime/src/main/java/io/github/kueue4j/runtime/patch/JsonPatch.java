// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A JSON patch (RFC 6902): operations that the server applies in order, all or none.
 *
 * @param operations in order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonPatch(List<Operation> operations) implements Patch {

  static final String CONTENT_TYPE = "application/json-patch+json";

  public JsonPatch {
    operations = List.copyOf(operations);
  }

  /** The kinds of operations in use. */
  public enum Kind {
    /** Sets a member (replacing it if there is one) or inserts into a list. */
    ADD("add"),
    /** Sets a member that must exist. */
    REPLACE("replace"),
    /** Removes a member or an element that must exist. */
    REMOVE("remove"),
    /** Fails the whole patch (422) unless the value is as given. */
    TEST("test");

    private final String wireName;

    Kind(String wireName) {
      this.wireName = wireName;
    }
  }

  /**
   * One operation.
   *
   * @param kind of operation
   * @param path as a JSON pointer (RFC 6901)
   * @param value the value; null for {@link Kind#REMOVE} alone
   */
  public record Operation(Kind kind, String path, @Nullable JsonElement value) {
    public Operation {
      if (!path.isEmpty() && path.charAt(0) != '/') {
        throw new IllegalArgumentException(
            "the JSON pointer '" + path + "' must start with '/'; build it with JsonPointer");
      }
      if ((value == null) != (kind == Kind.REMOVE)) {
        throw new IllegalArgumentException(
            kind + " of " + path + (value == null ? " needs a value" : " takes no value"));
      }
      value = value == null ? null : value.deepCopy();
    }

    JsonObject toJson() {
      var json = new JsonObject();
      json.addProperty("op", kind.wireName);
      json.addProperty("path", path);
      if (value != null) {
        json.add("value", value.deepCopy());
      }
      return json;
    }
  }

  /** A patch of these operations. */
  public static JsonPatch of(Operation... operations) {
    return new JsonPatch(List.of(operations));
  }

  /** This patch with one more operation at the start. */
  public JsonPatch preceded(Operation first) {
    List<Operation> all = new ArrayList<>(operations.size() + 1);
    all.add(first);
    all.addAll(operations);
    return new JsonPatch(all);
  }

  @Override
  public String contentType() {
    return CONTENT_TYPE;
  }

  @Override
  public JsonArray body() {
    var array = new JsonArray(operations.size());
    operations.forEach(operation -> array.add(operation.toJson()));
    return array;
  }

  @Override
  public boolean isEmpty() {
    return operations.isEmpty();
  }
}
