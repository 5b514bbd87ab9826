// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.managed.ManagedFields;
import io.github.kueue4j.apiserver.managed.Ownership;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The object that a client applies: the fields that it has an opinion about, and nothing else.
 *
 * @param object without nulls
 */
record AppliedObject(ServedResource resource, Key key, ObjectNode object, List<String> warnings) {

  /**
   * Reads the body of an apply.
   *
   * @throws ApiException 400 or 422 if it isn't one
   */
  static AppliedObject read(
      ServedResource resource, Key key, ObjectNode body, WriteOptions options) {
    String apiVersion = Trees.text(body, "apiVersion");
    if (!apiVersion.equals(resource.apiVersion())) {
      throw ApiErrors.badRequest(
          "Incorrect version specified in apply patch. Specified patch version: "
              + apiVersion
              + ", expected: "
              + resource.apiVersion());
    }
    RequestChecks.checkKind(resource, body);
    if (!Trees.metadata(body).path("managedFields").isEmpty()) {
      throw ApiErrors.badRequest("metadata.managedFields must be nil");
    }
    ObjectNode object = (ObjectNode) withoutNulls(body);
    RequestChecks.checkNamespace(resource, key.namespace(), MetadataRules.clean(object));
    List<String> warnings =
        RequestChecks.unknownFields(resource, object, object.toString(), options);
    return new AppliedObject(resource, key, object, warnings);
  }

  private static JsonNode withoutNulls(JsonNode value) {
    if (value instanceof ObjectNode object) {
      ObjectNode result = Trees.empty();
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        if (!field.getValue().isNull()) {
          result.set(field.getKey(), withoutNulls(field.getValue()));
        }
      }
      return result;
    }
    if (value instanceof ArrayNode list) {
      ArrayNode result = JsonNodeFactory.instance.arrayNode();
      list.forEach(element -> result.add(withoutNulls(element)));
      return result;
    }
    return value;
  }

  /** Refuses to create what the client takes for something that exists. */
  void checkMayCreate() {
    ObjectNode metadata = Trees.metadata(object);
    String uid = Trees.text(metadata, "uid");
    if (!uid.isEmpty()) {
      throw conflict(
          "uid mismatch: the provided object specified uid "
              + uid
              + ", and no existing object was found");
    }
    if (!Trees.text(metadata, "resourceVersion").isEmpty()) {
      throw ApiErrors.modified(resource.group(), resource.plural(), key.name());
    }
  }

  private ApiException conflict(String why) {
    return ApiErrors.conflict(resource.group(), resource.plural(), key.name(), why);
  }

  /** The object that an apply creates. */
  ObjectNode toCreate(Ownership ownership) {
    // Verifies that the owners of the fields can be determined.
    onto(Trees.empty(), ownership, ManagedFields.NONE, false);
    ObjectNode metadata = Trees.fresh(Trees.metadata(object));
    metadata.put("name", key.name());
    return Trees.withMetadata(object, metadata);
  }

  /**
   * The stored object with what is applied.
   *
   * @throws ApiException 409 if others own fields that would change, 500 if the schema doesn't fit
   */
  ObjectNode onto(ObjectNode served, Ownership ownership, ManagedFields managers, boolean force) {
    ObjectNode stored = ManagedFields.NONE.in(served);
    return switch (ownership.apply(stored, object, managers, force)) {
      case Ownership.Merged merged -> merged.object();
      case Ownership.Conflicts conflicts ->
          throw ApiErrors.applyConflict(message(conflicts), causes(conflicts));
      case Ownership.Untypeable untypeable ->
          throw ApiErrors.unexpected(failure(untypeable.errors()));
    };
  }

  private static List<ApiException.Cause> causes(Ownership.Conflicts conflicts) {
    return conflicts.conflicts().stream()
        .map(
            conflict ->
                new ApiException.Cause(
                    "FieldManagerConflict", "conflict with " + conflict.manager(), conflict.path()))
        .toList();
  }

  private static String message(Ownership.Conflicts found) {
    List<Ownership.Conflict> conflicts = found.conflicts();
    if (conflicts.size() == 1) {
      Ownership.Conflict only = conflicts.get(0);
      return "Apply failed with 1 conflict: conflict with " + only.manager() + ": " + only.path();
    }
    StringBuilder text = new StringBuilder("Apply failed with " + conflicts.size() + " conflicts:");
    String manager = "";
    for (Ownership.Conflict conflict : conflicts) {
      if (!conflict.manager().equals(manager)) {
        text.append(manager.isEmpty() ? " " : "\n");
        text.append("conflicts with ").append(conflict.manager()).append(':');
        manager = conflict.manager();
      }
      text.append("\n- ").append(conflict.path());
    }
    return text.toString();
  }

  private String failure(List<String> errors) {
    String group = resource.group();
    return "failed to create typed patch object ("
        + (key.namespace().isEmpty() ? "" : key.namespace())
        + "/"
        + key.name()
        + "; "
        + (group.isEmpty() ? "/" + resource.version() : resource.apiVersion())
        + ", Kind="
        + resource.kind()
        + "): "
        + (errors.size() == 1
            ? errors.get(0)
            : errors.stream().collect(Collectors.joining("\n  ", "errors:\n  ", "")));
  }
}
