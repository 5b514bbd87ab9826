// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.selectors.LabelSyntax;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form of metadata: known fields, names, labels, owners, finalizers. */
final class MetadataRules {
  private static final Set<String> KNOWN =
      Set.of(
          "name",
          "generateName",
          "namespace",
          "selfLink",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers",
          "managedFields");

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of(Deletion.FOREGROUND, Deletion.ORPHAN, "kubernetes");

  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SERVICE = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private MetadataRules() {}

  /** Unknown metadata fields, as paths. */
  static List<String> unknownFields(ObjectNode object) {
    List<String> unknown = new ArrayList<>();
    Trees.metadata(object)
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!KNOWN.contains(field)) {
                unknown.add("metadata." + field);
              }
            });
    return unknown;
  }

  /**
   * A fresh metadata object with the known fields only.
   *
   * @throws io.github.kueue4j.apiserver.status.ApiException 400 if a field has the wrong JSON type
   */
  static ObjectNode clean(ObjectNode object) {
    JsonNode given = object.get("metadata");
    if (given != null && !given.isNull() && !given.isObject()) {
      throw wrongType("metadata", given, "v1.ObjectMeta");
    }
    ObjectNode metadata = Trees.empty();
    for (Map.Entry<String, JsonNode> field : Trees.metadata(object).properties()) {
      if (KNOWN.contains(field.getKey()) && !field.getValue().isNull()) {
        checkType(field.getKey(), field.getValue());
        metadata.set(field.getKey(), field.getValue());
      }
    }
    metadata.remove("selfLink");
    metadata.remove("managedFields");
    for (String map : List.of("labels", "annotations", "ownerReferences", "finalizers")) {
      if (metadata.has(map) && metadata.get(map).isEmpty()) {
        metadata.remove(map);
      }
    }
    return metadata;
  }

  private static void checkType(String field, JsonNode value) {
    switch (field) {
      case "labels", "annotations" -> {
        if (!value.isObject()) {
          throw wrongType("metadata." + field, value, "map[string]string");
        }
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
          if (!entry.getValue().isTextual()) {
            throw wrongType("metadata." + field, entry.getValue(), "string");
          }
        }
      }
      case "ownerReferences" -> checkList(field, value, JsonNode::isObject, "v1.OwnerReference");
      case "finalizers" -> checkList(field, value, JsonNode::isTextual, "string");
      case "managedFields" -> checkList(field, value, JsonNode::isObject, "object");
      case "generation", "deletionGracePeriodSeconds" -> {
        if (!value.isIntegralNumber()) {
          throw wrongType("metadata." + field, value, "int64");
        }
      }
      default -> {
        if (!value.isTextual()) {
          throw wrongType("metadata." + field, value, "string");
        }
      }
    }
  }

  private static void checkList(
      String field, JsonNode value, Predicate<JsonNode> element, String type) {
    if (!value.isArray()) {
      throw wrongType("metadata." + field, value, "[]" + type);
    }
    for (JsonNode entry : value) {
      if (!element.test(entry)) {
        throw wrongType("metadata." + field, entry, type);
      }
    }
  }

  private static RuntimeException wrongType(String field, JsonNode value, String type) {
    return ApiErrors.badRequest(
        "json: cannot unmarshal %s into Go struct field ObjectMeta.%s of type %s"
            .formatted(value.getNodeType().name().toLowerCase(Locale.ROOT), field, type));
  }

  /** Checks metadata; the old object's is null on a create. */
  static List<FieldError> validate(
      ServedResource resource, ObjectNode object, @Nullable ObjectNode old) {
    ObjectNode metadata = Trees.metadata(object);
    List<FieldError> errors = new ArrayList<>();
    if (old == null) {
      name(resource, Trees.text(metadata, "name"), errors);
    }
    labels(Trees.object(metadata, "labels"), errors);
    annotations(Trees.object(metadata, "annotations"), errors);
    owners(metadata.path("ownerReferences"), errors);
    finalizers(resource, metadata, old, errors);
    return errors;
  }

  private static void name(ServedResource resource, String name, List<FieldError> errors) {
    if (name.isEmpty()) {
      errors.add(FieldError.required("metadata.name", "name or generateName is required"));
      return;
    }
    String wrong = wrongName(resource, name);
    if (!wrong.isEmpty()) {
      errors.add(FieldError.invalid("metadata.name", name, wrong));
    }
  }

  private static String wrongName(ServedResource resource, String name) {
    if (resource.group().equals("rbac.authorization.k8s.io")) {
      if (name.equals(".") || name.equals("..")) {
        return "may not be '" + name + "'";
      }
      return name.contains("/")
          ? "may not contain '/'"
          : name.contains("%") ? "may not contain '%'" : "";
    }
    if (resource.storageName().equals("namespaces")) {
      if (name.length() > 63) {
        return "must be no more than 63 characters";
      }
      return LABEL.matcher(name).matches()
          ? ""
          : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
              + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
              + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    }
    if (resource.storageName().equals("services")) {
      return name.length() <= 63 && SERVICE.matcher(name).matches()
          ? ""
          : "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with"
              + " an alphabetic character, and end with an alphanumeric character (e.g. 'my-name', "
              + " or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    }
    if (name.length() > 253) {
      return "must be no more than 253 characters";
    }
    return SUBDOMAIN.matcher(name).matches()
        ? ""
        : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
            + " '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
            + " regex used for validation is"
            + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  }

  private static void labels(ObjectNode labels, List<FieldError> errors) {
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      if (!LabelSyntax.isKey(label.getKey())) {
        errors.add(FieldError.invalid("metadata.labels", label.getKey(), LabelSyntax.keyRule()));
      }
      if (!LabelSyntax.isValue(label.getValue().asText())) {
        String value = label.getValue().asText();
        errors.add(
            FieldError.invalid(
                "metadata.labels",
                value,
                value.length() > 63
                    ? "must be no more than 63 characters"
                    : LabelSyntax.VALUE_RULE));
      }
    }
  }

  private static void annotations(ObjectNode annotations, List<FieldError> errors) {
    long size = 0;
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      String key = annotation.getKey();
      if (!LabelSyntax.isKey(key.toLowerCase(Locale.ROOT))) {
        errors.add(FieldError.invalid("metadata.annotations", key, LabelSyntax.keyRule()));
      }
      size += key.length() + annotation.getValue().asText().length();
    }
    if (size > MAX_ANNOTATION_BYTES) {
      errors.add(
          new FieldError(
              "metadata.annotations",
              FieldError.ErrorType.TOO_LONG,
              null,
              "may not be more than " + MAX_ANNOTATION_BYTES + " bytes"));
    }
  }

  private static void owners(JsonNode owners, List<FieldError> errors) {
    int controllers = 0;
    for (int i = 0; i < owners.size(); i++) {
      JsonNode owner = owners.get(i);
      String path = "metadata.ownerReferences[" + i + "]";
      for (String field : List.of("apiVersion", "kind", "name", "uid")) {
        if (Trees.text(owner, field).isEmpty()) {
          errors.add(
              FieldError.invalid(
                  path + "." + field,
                  "",
                  field.equals("apiVersion")
                      ? "version must not be empty"
                      : field + " must not be empty"));
        }
      }
      if (owner.path("controller").asBoolean()) {
        controllers++;
      }
    }
    if (controllers > 1) {
      errors.add(
          FieldError.invalid(
              "metadata.ownerReferences",
              "",
              "Only one reference can have Controller set to true"));
    }
  }

  private static void finalizers(
      ServedResource resource,
      ObjectNode metadata,
      @Nullable ObjectNode old,
      List<FieldError> errors) {
    for (JsonNode finalizer : metadata.path("finalizers")) {
      String name = finalizer.asText();
      if (!LabelSyntax.isKey(name)) {
        errors.add(FieldError.invalid("metadata.finalizers", name, LabelSyntax.keyRule()));
      } else if (!resource.custom()
          && !resource.storageName().equals(BuiltInKinds.DEFINITIONS)
          && !name.contains("/")
          && !STANDARD_FINALIZERS.contains(name)) {
        errors.add(
            FieldError.invalid(
                "metadata.finalizers",
                name,
                "name is neither a standard finalizer name nor is it fully qualified"));
      }
    }
    if (old != null && Trees.deleting(old)) {
      Set<String> added = new TreeSet<>();
      metadata.path("finalizers").forEach(finalizer -> added.add(finalizer.asText()));
      Trees.metadata(old).path("finalizers").forEach(finalizer -> added.remove(finalizer.asText()));
      if (!added.isEmpty()) {
        errors.add(
            FieldError.forbidden(
                "metadata.finalizers",
                "no new finalizers can be added if the object is being deleted, found new"
                    + " finalizers "
                    + added));
      }
    }
  }
}
