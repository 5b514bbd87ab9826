// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.kinds.UndecodableException;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of an object that a client sends, before the API looks at its values. */
final class RequestChecks {
  private RequestChecks() {}

  static void checkKind(ServedResource resource, ObjectNode body) {
    for (String field : List.of("apiVersion", "kind")) {
      if (body.hasNonNull(field) && !body.path(field).isTextual()) {
        throw ApiErrors.badRequest(
            "couldn't get version/kind; json parse error: " + field + " is no string");
      }
    }
    String apiVersion = Trees.text(body, "apiVersion");
    String kind = Trees.text(body, "kind");
    if (apiVersion.isEmpty() && kind.isEmpty() && !resource.custom()) {
      body.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
      return;
    }
    if (kind.isEmpty()) {
      throw ApiErrors.badRequest("Object 'Kind' is missing in '" + shortened(body) + "'");
    }
    if (!apiVersion.equals(resource.apiVersion())) {
      throw ApiErrors.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(apiVersion, resource.apiVersion()));
    }
    if (!kind.equals(resource.kind())) {
      throw ApiErrors.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: no kind \"%s\" is registered for version \"%s\" at this endpoint"
              .formatted(kind, resource.version(), resource.kind(), kind, apiVersion));
    }
  }

  private static String shortened(ObjectNode body) {
    String text = body.toString();
    return text.length() > 200 ? text.substring(0, 200) + "..." : text;
  }

  static void checkNamespace(ServedResource resource, String namespace, ObjectNode metadata) {
    String given = Trees.text(metadata, "namespace");
    if (resource.namespaced() ? !given.isEmpty() && !given.equals(namespace) : !given.isEmpty()) {
      throw ApiErrors.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  static void checkPreconditions(
      ServedResource resource, StoredObject current, ObjectNode incoming) {
    ObjectNode metadata = Trees.metadata(incoming);
    String name = Trees.text(metadata, "name");
    if (!name.isEmpty() && !name.equals(current.key().name())) {
      refuseInvalid(
          resource,
          current.key().name(),
          List.of(FieldError.invalid("metadata.name", metadata.get("name"), "field is immutable")));
    }
    checkUid(resource, current, Trees.text(metadata, "uid"));
    String revision = Trees.text(metadata, "resourceVersion");
    if (!revision.isEmpty() && !revision.equals(Long.toString(current.revision()))) {
      throw ApiErrors.modified(resource.group(), resource.plural(), current.key().name());
    }
  }

  /** Checks that the request means this very object; an empty uid means whichever has the name. */
  static void checkUid(ServedResource resource, StoredObject current, String uid) {
    if (!uid.isEmpty() && !uid.equals(current.uid())) {
      throw ApiErrors.conflict(
          resource.group(),
          resource.plural(),
          current.key().name(),
          "Precondition failed: UID in precondition: "
              + uid
              + ", UID in object meta: "
              + current.uid());
    }
  }

  static List<String> unknownFields(
      ServedResource resource, ObjectNode body, @Nullable String patch, WriteOptions options) {
    if (options.fieldValidation() == WriteOptions.FieldValidation.IGNORE) {
      return List.of();
    }
    Set<String> unknown = new LinkedHashSet<>(resource.rules().unknownFields(body));
    unknown.addAll(MetadataRules.unknownFields(body));
    List<String> texts = unknown.stream().map(path -> "unknown field \"" + path + "\"").toList();
    if (texts.isEmpty() || options.fieldValidation() == WriteOptions.FieldValidation.WARN) {
      return texts;
    }
    String error = "strict decoding error: " + String.join(", ", texts);
    if (patch != null) {
      throw ApiErrors.invalid("", "", "", List.of(FieldError.invalid("patch", patch, error)));
    }
    throw ApiErrors.badRequest(
        resource.kind()
            + " in version \""
            + resource.version()
            + "\" cannot be handled as a "
            + resource.kind()
            + ": "
            + error);
  }

  static ObjectNode decoded(ServedResource resource, ObjectNode incoming) {
    try {
      return resource.rules().prepare(incoming);
    } catch (UndecodableException e) {
      throw ApiErrors.badRequest(
          resource.kind()
              + " in version \""
              + resource.version()
              + "\" cannot be handled as a "
              + resource.kind()
              + ": "
              + e.detail());
    }
  }

  /** As {@link #decoded}; of a patch it is the result that is invalid. */
  static ObjectNode decodedPatch(ServedResource resource, ObjectNode patched) {
    try {
      return resource.rules().prepare(patched);
    } catch (UndecodableException e) {
      throw ApiErrors.invalid(
          "", "", "", List.of(FieldError.invalid("patch", patched.toString(), e.detail())));
    }
  }

  static void refuseInvalid(ServedResource resource, String name, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiErrors.invalid(resource.group(), resource.kind(), name, errors);
    }
  }
}
