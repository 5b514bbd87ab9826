// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.managed.ManagedFields;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Puts new objects into the store. */
record CreateOperation(
    ObjectStore store,
    InstantSource clock,
    Identities identities,
    Holders holders,
    Admission admission) {

  /**
   * Stores a new object.
   *
   * @param texts warnings so far
   * @throws ApiException if the API refuses it
   */
  WriteResult insert(
      ServedResource resource,
      String namespace,
      ObjectNode body,
      Owners owners,
      WriteOptions options,
      List<String> texts) {
    List<String> warnings = new ArrayList<>(texts);
    ObjectNode metadata = MetadataRules.clean(body);
    RequestChecks.checkNamespace(resource, namespace, metadata);
    holders.checkMayHold(resource, namespace, Trees.text(metadata, "name"));
    boolean generated =
        Trees.text(metadata, "name").isEmpty() && !Trees.text(metadata, "generateName").isEmpty();
    ObjectNode prepared = RequestChecks.decoded(resource, Trees.withMetadata(body, metadata));
    KindStore kind = store.kind(resource.storageName());
    ApiException taken = null;
    for (int attempt = 0; attempt < ObjectOperations.ATTEMPTS; attempt++) {
      Instant now = clock.instant();
      ObjectNode identified =
          Trees.withMetadata(prepared, identity(metadata, namespace, generated));
      ObjectNode first = Versions.first(resource, identified, now);
      Key key = new Key(namespace, Trees.name(first));
      ManagedFields managers = owners.after(Trees.empty(), first, now);
      Admission.Attempt asked =
          Admission.Attempt.of(
              Admission.WriteOperation.CREATE, resource, key, "", null, options, warnings::add);
      ObjectNode admitted =
          admission
              .mutate(asked, first)
              .map(object -> Versions.first(resource, identified(resource, first, object), now))
              .orElse(first);
      ObjectNode created = resource.rules().complete(admitted, null, now);
      Versions.validate(resource, created, null, key.name());
      admission.validate(asked, created);
      ObjectNode stored = Versions.ordered(resource.conversion().toStored(managers.in(created)));
      if (options.dryRun()) {
        if (kind.get(key).isEmpty()) {
          return new WriteResult(
              StoredObject.unstored(key, stored, 0), WriteResult.Effect.CREATED, warnings);
        }
      } else {
        Optional<StoredObject> inserted = store.insert(kind, key, stored);
        if (inserted.isPresent()) {
          return new WriteResult(inserted.get(), WriteResult.Effect.CREATED, warnings);
        }
      }
      taken = ApiErrors.alreadyExists(resource.group(), resource.plural(), key.name());
      if (!generated) {
        break;
      }
    }
    throw Objects.requireNonNull(taken);
  }

  private ObjectNode identity(ObjectNode given, String namespace, boolean generated) {
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
    return metadata;
  }

  /** An admitted object under the identity that it got before. */
  private static ObjectNode identified(
      ServedResource resource, ObjectNode first, ObjectNode admitted) {
    ObjectNode prepared = resource.rules().prepare(admitted);
    ObjectNode metadata = MetadataRules.clean(prepared);
    for (String field : List.of("name", "namespace", "uid", "generateName")) {
      Trees.copyField(Trees.metadata(first), metadata, field);
    }
    return Trees.withMetadata(prepared, metadata);
  }
}
