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
package io.github.kueue4j.testkit.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.kinds.BuiltInKinds;
import io.github.kueue4j.testkit.kinds.CustomResourceDefinition;
import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.kinds.UndecodableException;
import io.github.kueue4j.testkit.schema.FieldError;
import io.github.kueue4j.testkit.status.ApiErrors;
import io.github.kueue4j.testkit.status.ApiException;
import io.github.kueue4j.testkit.store.Key;
import io.github.kueue4j.testkit.store.KindStore;
import io.github.kueue4j.testkit.store.ObjectStore;
import io.github.kueue4j.testkit.store.StoredObject;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and reads objects by the rules of the API. A write is computed without a lock
 * and tried again if another one came first, unless the client named the version it started from.
 */
@API(status = API.Status.INTERNAL)
public final class ObjectOperations {
  private static final int ATTEMPTS = 50;

  private final ObjectStore store;
  private final InstantSource clock;
  private final Identities identities;

  public ObjectOperations(ObjectStore store, InstantSource clock, Identities identities) {
    this.store = store;
    this.clock = clock;
    this.identities = identities;
  }

  /** Where the objects of a resource are stored. */
  public KindStore storeOf(ServedResource resource) {
    return store.kind(resource.storageName());
  }

  /**
   * The stored object.
   *
   * @throws ApiException 404 if there is none
   */
  public StoredObject get(ServedResource resource, Key key) {
    return storeOf(resource).get(key).orElseThrow(() -> notFound(resource, key));
  }

  static ApiException notFound(ServedResource resource, Key key) {
    return ApiErrors.notFound(resource.group(), resource.plural(), key.name());
  }

  /**
   * Creates an object.
   *
   * @param namespace of the request, empty for cluster scope
   * @throws ApiException if the API refuses it
   */
  public Written create(
      ServedResource resource, String namespace, ObjectNode body, WriteOptions options) {
    checkKind(resource, body);
    List<String> warnings = unknownFields(resource, body, null, options);
    ObjectNode metadata = MetadataRules.clean(body);
    checkNamespace(resource, namespace, metadata);
    if (metadata.hasNonNull("resourceVersion")
        && !Trees.text(metadata, "resourceVersion").isEmpty()) {
      throw ApiErrors.badRequest("resourceVersion should not be set on objects to be created");
    }
    checkMayHold(resource, namespace, Trees.text(metadata, "name"));
    boolean generated =
        Trees.text(metadata, "name").isEmpty() && !Trees.text(metadata, "generateName").isEmpty();
    ObjectNode prepared = decoded(resource, Trees.withMetadata(body, metadata));
    ApiException taken = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ObjectNode created = complete(resource, prepared, metadata, namespace, generated);
      Key key = new Key(namespace, Trees.name(created));
      List<FieldError> errors = new ArrayList<>(MetadataRules.validate(resource, created, null));
      errors.addAll(resource.rules().validate(created, null));
      refuseInvalid(resource, key.name(), errors);
      ObjectNode stored = ordered(resource.conversion().toStored(created));
      KindStore kind = storeOf(resource);
      if (options.dryRun()) {
        if (kind.get(key).isEmpty()) {
          return new Written(StoredObject.unstored(key, stored, 0), false, warnings);
        }
      } else {
        Optional<StoredObject> inserted = store.insert(kind, key, stored);
        if (inserted.isPresent()) {
          return new Written(inserted.get(), false, warnings);
        }
      }
      taken = ApiErrors.alreadyExists(resource.group(), resource.plural(), key.name());
      if (!generated) {
        break;
      }
    }
    throw Objects.requireNonNull(taken);
  }

  private ObjectNode complete(
      ServedResource resource,
      ObjectNode prepared,
      ObjectNode given,
      String namespace,
      boolean generated) {
    ObjectNode metadata = Trees.fresh(given);
    if (generated) {
      metadata.put("name", identities.generatedName(Trees.text(given, "generateName")));
    }
    if (namespace.isEmpty()) {
      metadata.remove("namespace");
    } else {
      metadata.put("namespace", namespace);
    }
    metadata.put("uid", identities.uid());
    metadata.put("creationTimestamp", Trees.time(clock.instant()));
    metadata.remove("deletionTimestamp");
    metadata.remove("deletionGracePeriodSeconds");
    metadata.remove("resourceVersion");
    metadata.remove("generation");
    if (resource.rules().countsGenerations()) {
      metadata.put("generation", 1);
    }
    ObjectNode object = Trees.withMetadata(prepared, metadata);
    // A node registers itself together with its status.
    if (resource.hasStatus() && !resource.storageName().equals(BuiltInKinds.NODES)) {
      object.remove("status");
    }
    return resource.rules().complete(object, null, clock.instant());
  }

  /**
   * Replaces an object, or one part of it, with what the client sent.
   *
   * @param subresource empty, {@code status} or {@code finalize}
   * @throws ApiException if the API refuses it
   */
  public Written update(
      ServedResource resource, Key key, String subresource, ObjectNode body, WriteOptions options) {
    checkKind(resource, body);
    List<String> warnings = unknownFields(resource, body, null, options);
    ObjectNode metadata = Trees.metadata(body);
    String name = Trees.text(metadata, "name");
    if (!name.isEmpty() && !name.equals(key.name())) {
      throw ApiErrors.badRequest(
          "the name of the object ("
              + name
              + ") does not match the name on the URL ("
              + key.name()
              + ")");
    }
    checkNamespace(resource, key.namespace(), metadata);
    if (resource.custom()
        && Trees.text(metadata, "resourceVersion").isEmpty()
        && storeOf(resource).get(key).isPresent()) {
      refuseInvalid(
          resource,
          key.name(),
          List.of(
              new FieldError(
                  "metadata.resourceVersion",
                  FieldError.Type.INVALID,
                  JsonNodeFactory.instance.numberNode(0),
                  "must be specified for an update")));
    }
    return change(
        resource,
        key,
        subresource,
        current -> body,
        incoming -> decoded(resource, incoming),
        options,
        warnings);
  }

  /**
   * Changes an object by a function of its served form, such as a patch.
   *
   * @param subresource empty, {@code status} or {@code finalize}
   * @param patchText the patch as the client sent it, for the refusal of unknown fields
   * @throws ApiException if the API refuses it
   */
  public Written patch(
      ServedResource resource,
      Key key,
      String subresource,
      UnaryOperator<ObjectNode> patch,
      String patchText,
      WriteOptions options) {
    List<String> warnings = new ArrayList<>();
    return change(
        resource,
        key,
        subresource,
        current -> {
          ObjectNode patched = patch.apply(current);
          checkKind(resource, patched);
          warnings.clear();
          warnings.addAll(unknownFields(resource, patched, patchText, options));
          return patched;
        },
        patched -> decodedPatch(resource, patched),
        options,
        warnings);
  }

  private Written change(
      ServedResource resource,
      Key key,
      String subresource,
      UnaryOperator<ObjectNode> wanted,
      UnaryOperator<ObjectNode> decoding,
      WriteOptions options,
      List<String> warnings) {
    KindStore kind = storeOf(resource);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      StoredObject current = get(resource, key);
      ObjectNode served = resource.conversion().toServed(current.tree());
      ObjectNode incoming = wanted.apply(served);
      checkPreconditions(resource, current, incoming);
      ObjectNode next = next(resource, served, incoming, decoding.apply(incoming), subresource);
      if (next.equals(served)) {
        return new Written(current, false, List.copyOf(warnings));
      }
      ObjectNode stored = ordered(resource.conversion().toStored(next));
      boolean gone = Trees.deleting(stored) && finalized(resource, stored);
      Optional<StoredObject> written;
      if (options.dryRun()) {
        written = Optional.of(StoredObject.unstored(key, stored, current.revision()));
      } else if (gone) {
        written = store.remove(kind, current, stored);
      } else {
        written = store.replace(kind, current, stored);
      }
      if (written.isPresent()) {
        return new Written(written.get(), gone, List.copyOf(warnings));
      }
    }
    throw ApiErrors.modified(resource.group(), resource.plural(), key.name());
  }

  private static ObjectNode decoded(ServedResource resource, ObjectNode incoming) {
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
  private static ObjectNode decodedPatch(ServedResource resource, ObjectNode patched) {
    try {
      return resource.rules().prepare(patched);
    } catch (UndecodableException e) {
      throw ApiErrors.invalid(
          "",
          "",
          "",
          List.of(
              new FieldError(
                  "patch",
                  FieldError.Type.INVALID,
                  JsonNodeFactory.instance.textNode(patched.toString()),
                  e.detail())));
    }
  }

  /** The next version, in the served form, of an object that a client wants changed. */
  private ObjectNode next(
      ServedResource resource,
      ObjectNode current,
      ObjectNode incoming,
      ObjectNode prepared,
      String subresource) {
    ObjectNode metadata = systemFields(MetadataRules.clean(incoming), Trees.metadata(current));
    ObjectNode next =
        combine(resource, current, Trees.withMetadata(prepared, metadata), subresource);
    if (resource.rules().countsGenerations() && !sameDesire(resource, current, next)) {
      ObjectNode bumped = Trees.fresh(Trees.metadata(next));
      bumped.put("generation", bumped.path("generation").asInt() + 1);
      next = Trees.withMetadata(next, bumped);
    }
    next = resource.rules().complete(next, current, clock.instant());
    List<FieldError> errors = new ArrayList<>(MetadataRules.validate(resource, next, current));
    errors.addAll(resource.rules().validate(next, current));
    refuseInvalid(resource, Trees.name(current), errors);
    return next;
  }

  /** What a write through this endpoint may change, taken from the incoming object. */
  private static ObjectNode combine(
      ServedResource resource, ObjectNode current, ObjectNode incoming, String subresource) {
    return switch (subresource) {
      case "status" -> {
        ObjectNode result = Trees.with(current, "status", incoming.get("status"));
        // Built-in kinds let labels, annotations and finalizers change together with the status.
        yield resource.custom() ? result : Trees.withMetadata(result, Trees.metadata(incoming));
      }
      case "finalize" -> Trees.with(current, "spec", incoming.get("spec"));
      default -> {
        ObjectNode result = incoming;
        if (resource.hasStatus()) {
          result = Trees.with(result, "status", current.get("status"));
        }
        // A namespace's finalizers change through its finalize subresource only.
        yield resource.storageName().equals(BuiltInKinds.NAMESPACES)
            ? Trees.with(result, "spec", current.get("spec"))
            : result;
      }
    };
  }

  private static ObjectNode systemFields(ObjectNode fresh, ObjectNode current) {
    for (String field :
        List.of(
            "name",
            "namespace",
            "generateName",
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generation")) {
      JsonNode value = current.get(field);
      if (value == null) {
        fresh.remove(field);
      } else {
        fresh.set(field, value);
      }
    }
    return fresh;
  }

  private static boolean sameDesire(ServedResource resource, ObjectNode current, ObjectNode next) {
    boolean ignoreStatus = resource.hasStatus();
    return desire(current, ignoreStatus).equals(desire(next, ignoreStatus));
  }

  private static ObjectNode desire(ObjectNode object, boolean ignoreStatus) {
    ObjectNode desire = Trees.fresh(object);
    desire.remove("metadata");
    if (ignoreStatus) {
      desire.remove("status");
    }
    return desire;
  }

  /** Whether nothing holds back the end of an object that is marked for deletion. */
  static boolean finalized(ServedResource resource, ObjectNode tree) {
    boolean ofNamespace =
        resource.storageName().equals(BuiltInKinds.NAMESPACES)
            && !Trees.object(tree, "spec").path("finalizers").isEmpty();
    return !ofNamespace && Trees.metadata(tree).path("finalizers").isEmpty();
  }

  private static void checkPreconditions(
      ServedResource resource, StoredObject current, ObjectNode incoming) {
    ObjectNode metadata = Trees.metadata(incoming);
    String name = Trees.text(metadata, "name");
    if (!name.isEmpty() && !name.equals(current.key().name())) {
      refuseInvalid(
          resource,
          current.key().name(),
          List.of(
              new FieldError(
                  "metadata.name",
                  FieldError.Type.INVALID,
                  metadata.get("name"),
                  "field is immutable")));
    }
    String uid = Trees.text(metadata, "uid");
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
    String revision = Trees.text(metadata, "resourceVersion");
    if (!revision.isEmpty() && !revision.equals(Long.toString(current.revision()))) {
      throw ApiErrors.modified(resource.group(), resource.plural(), current.key().name());
    }
  }

  private static void checkKind(ServedResource resource, ObjectNode body) {
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
          "the API version in the data ("
              + apiVersion
              + ") does not match the expected API version ("
              + resource.apiVersion()
              + ")");
    }
    if (!kind.equals(resource.kind())) {
      throw ApiErrors.badRequest(
          kind
              + " in version \""
              + resource.version()
              + "\" cannot be handled as a "
              + resource.kind()
              + ": no kind \""
              + kind
              + "\" is registered for version \""
              + apiVersion
              + "\" at this endpoint");
    }
  }

  private static String shortened(ObjectNode body) {
    String text = body.toString();
    return text.length() > 200 ? text.substring(0, 200) + "..." : text;
  }

  private static void checkNamespace(
      ServedResource resource, String namespace, ObjectNode metadata) {
    String given = Trees.text(metadata, "namespace");
    if (resource.namespaced() ? !given.isEmpty() && !given.equals(namespace) : !given.isEmpty()) {
      throw ApiErrors.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private void checkMayHold(ServedResource resource, String namespace, String name) {
    if (resource.namespaced()) {
      StoredObject holder =
          store
              .kind(BuiltInKinds.NAMESPACES)
              .get(new Key("", namespace))
              .orElseThrow(() -> ApiErrors.notFound("", "namespaces", namespace));
      if (Trees.deleting(holder.tree())) {
        throw ApiErrors.forbidden(
            resource.group(),
            resource.plural(),
            name,
            "unable to create new content in namespace "
                + namespace
                + " because it is being terminated",
            List.of(
                new ApiException.Cause(
                    "NamespaceTerminating",
                    "namespace " + namespace + " is being terminated",
                    "metadata.namespace")));
      }
    }
    if (resource.custom()) {
      Optional<StoredObject> definition =
          store
              .kind(BuiltInKinds.DEFINITIONS)
              .get(new Key("", resource.plural() + "." + resource.group()));
      if (definition.isPresent() && CustomResourceDefinition.terminating(definition.get().tree())) {
        throw ApiErrors.methodNotAllowed(
            "create not allowed while custom resource definition is terminating");
      }
    }
  }

  private static List<String> unknownFields(
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
      throw ApiErrors.invalid(
          "",
          "",
          "",
          List.of(
              new FieldError(
                  "patch",
                  FieldError.Type.INVALID,
                  JsonNodeFactory.instance.textNode(patch),
                  error)));
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

  private static void refuseInvalid(ServedResource resource, String name, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiErrors.invalid(resource.group(), resource.kind(), name, errors);
    }
  }

  /** Puts apiVersion and kind first, which list items of built-in kinds rely on. */
  private static ObjectNode ordered(ObjectNode tree) {
    ObjectNode result = Trees.empty();
    for (String first : List.of("apiVersion", "kind", "metadata")) {
      if (tree.has(first)) {
        result.set(first, tree.get(first));
      }
    }
    result.setAll(tree);
    return result;
  }
}
