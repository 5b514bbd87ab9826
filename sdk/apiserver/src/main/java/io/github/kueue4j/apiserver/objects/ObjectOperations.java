// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.managed.ManagedFields;
import io.github.kueue4j.apiserver.managed.Ownership;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * Creates, changes and reads objects by the rules of the API. A write is computed without a lock
 * and tried again if another one came first, unless the client named the version it started from.
 */
@API(status = API.Status.INTERNAL)
public final class ObjectOperations {
  static final int ATTEMPTS = 50;

  private final ObjectStore store;
  private final InstantSource clock;
  private final CreateOperation createOperation;
  private final UpdateOperation updateOperation;

  public ObjectOperations(
      ObjectStore store, InstantSource clock, Identities identities, Admission admission) {
    this.store = store;
    this.clock = clock;
    this.createOperation =
        new CreateOperation(store, clock, identities, new Holders(store), admission);
    this.updateOperation = new UpdateOperation(store, clock, admission);
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
  public WriteResult create(
      ServedResource resource, String namespace, ObjectNode body, WriteOptions options) {
    RequestChecks.checkKind(resource, body);
    List<String> warnings = RequestChecks.unknownFields(resource, body, null, options);
    if (!Trees.text(Trees.metadata(body), "resourceVersion").isEmpty()) {
      RequestChecks.checkNamespace(resource, namespace, MetadataRules.clean(body));
      throw ApiErrors.unexpected("resourceVersion should not be set on objects to be created");
    }
    Ownership ownership = OwnershipOfWrites.of(resource, "", options);
    // A client may name managers of its own; they keep what the object itself doesn't have.
    ManagedFields sent = Ownership.sent(body, ManagedFields.NONE);
    return createOperation.insert(
        resource,
        namespace,
        body,
        (before, after, now) -> ownership.afterUpdate(before, after, sent, now),
        options,
        warnings);
  }

  /**
   * Replaces an object, or one part of it, with what the client sent.
   *
   * @param subresource empty, {@code status} or {@code finalize}
   * @throws ApiException if the API refuses it
   */
  public WriteResult update(
      ServedResource resource, Key key, String subresource, ObjectNode body, WriteOptions options) {
    RequestChecks.checkKind(resource, body);
    List<String> warnings = RequestChecks.unknownFields(resource, body, null, options);
    ObjectNode metadata = Trees.metadata(body);
    String name = Trees.text(metadata, "name");
    if (!name.isEmpty() && !name.equals(key.name())) {
      throw ApiErrors.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, key.name()));
    }
    RequestChecks.checkNamespace(resource, key.namespace(), metadata);
    if (resource.custom()
        && Trees.text(metadata, "resourceVersion").isEmpty()
        && storeOf(resource).get(key).isPresent()) {
      RequestChecks.refuseInvalid(
          resource,
          key.name(),
          List.of(
              FieldError.invalid(
                  "metadata.resourceVersion",
                  JsonNodeFactory.instance.numberNode(0),
                  "must be specified for an update")));
    }
    Ownership ownership = OwnershipOfWrites.of(resource, subresource, options);
    return updateOperation.replace(
        resource,
        key,
        subresource,
        (served, managers) -> {
          ManagedFields sent = Ownership.sent(body, managers);
          return new UpdateOperation.Proposal(
              body,
              RequestChecks.decoded(resource, body),
              (before, after, now) -> ownership.afterUpdate(before, after, sent, now),
              warnings);
        },
        options);
  }

  /**
   * Changes an object by a function of its served form, such as a patch.
   *
   * @param subresource empty, {@code status} or {@code finalize}
   * @param patchText the patch as the client sent it, for the refusal of unknown fields
   * @throws ApiException if the API refuses it
   */
  public WriteResult patch(
      ServedResource resource,
      Key key,
      String subresource,
      UnaryOperator<ObjectNode> patch,
      String patchText,
      WriteOptions options) {
    Ownership ownership = OwnershipOfWrites.of(resource, subresource, options);
    return updateOperation.replace(
        resource,
        key,
        subresource,
        (served, managers) -> {
          ObjectNode patched = patch.apply(served);
          RequestChecks.checkKind(resource, patched);
          List<String> warnings =
              RequestChecks.unknownFields(resource, patched, patchText, options);
          ManagedFields sent = Ownership.sent(patched, managers);
          return new UpdateOperation.Proposal(
              patched,
              RequestChecks.decodedPatch(resource, patched),
              (before, after, now) -> ownership.afterUpdate(before, after, sent, now),
              warnings);
        },
        options);
  }

  /**
   * Applies what one manager wants of an object, which is created if it doesn't exist.
   *
   * @param subresource empty, {@code status} or {@code finalize}
   * @param force take over fields that other managers own
   * @throws ApiException if the API refuses it; 409 with a cause for each field of another manager
   */
  public WriteResult apply(
      ServedResource resource,
      Key key,
      String subresource,
      ObjectNode body,
      boolean force,
      WriteOptions options) {
    AppliedObject applied = AppliedObject.read(resource, key, body, options);
    Ownership ownership = OwnershipOfWrites.of(resource, subresource, options);
    ApiException lost = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        if (subresource.isEmpty() && storeOf(resource).get(key).isEmpty()) {
          applied.checkMayCreate();
          return createOperation.insert(
              resource,
              key.namespace(),
              applied.toCreate(ownership),
              (before, after, now) ->
                  ownership.afterApply(before, after, applied.object(), ManagedFields.NONE, now),
              options,
              applied.warnings());
        }
        return updateOperation.replace(
            resource,
            key,
            subresource,
            (served, managers) -> applyTo(served, managers, applied, ownership, force),
            options);
      } catch (ApiException e) {
        // Another request created or deleted the object after it was read, so it is read again.
        boolean created = e.reason().equals("AlreadyExists");
        boolean deleted = e.code() == 404 && storeOf(resource).get(key).isEmpty();
        if (!subresource.isEmpty() || (!created && !deleted)) {
          throw e;
        }
        lost = e;
      }
    }
    throw Objects.requireNonNull(lost);
  }

  private UpdateOperation.Proposal applyTo(
      ObjectNode served,
      ManagedFields managers,
      AppliedObject applied,
      Ownership ownership,
      boolean force) {
    ManagedFields known = ownership.beforeFirstApply(served, managers, clock.instant());
    ObjectNode merged = applied.onto(served, ownership, known, force);
    return new UpdateOperation.Proposal(
        merged,
        RequestChecks.decoded(applied.resource(), merged),
        (before, after, now) -> ownership.afterApply(before, after, applied.object(), known, now),
        applied.warnings());
  }
}
