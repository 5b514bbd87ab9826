// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.managed.ManagedFields;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts new versions in the place of stored ones. */
record UpdateOperation(ObjectStore store, InstantSource clock, Admission admission) {

  /**
   * The object that a client proposes.
   *
   * @param incoming as the client put it, for its preconditions
   * @param prepared without unknown fields and with defaults
   */
  record Proposal(ObjectNode incoming, ObjectNode prepared, Owners owners, List<String> warnings) {}

  /** The intent of a client, whatever is stored when its turn comes. */
  interface Intent {
    Proposal propose(ObjectNode served, ManagedFields managers);
  }

  /**
   * Puts the version that a client wants in the place of the current one.
   *
   * @param subresource the endpoint; what it can't change stays
   * @throws io.github.kueue4j.apiserver.status.ApiException if the API refuses it
   */
  WriteResult replace(
      ServedResource resource, Key key, String subresource, Intent intent, WriteOptions options) {
    KindStore kind = store.kind(resource.storageName());
    for (int attempt = 0; attempt < ObjectOperations.ATTEMPTS; attempt++) {
      StoredObject current =
          kind.get(key).orElseThrow(() -> ObjectOperations.notFound(resource, key));
      ObjectNode served = resource.conversion().toServed(current.tree());
      ManagedFields managers = ManagedFields.read(served).orElse(ManagedFields.NONE);
      Proposal proposal = intent.propose(served, managers);
      RequestChecks.checkPreconditions(resource, current, proposal.incoming());
      List<String> warnings = new ArrayList<>(proposal.warnings());
      ObjectNode next =
          next(
              Admission.Attempt.of(
                  Admission.WriteOperation.UPDATE,
                  resource,
                  key,
                  subresource,
                  served,
                  options,
                  warnings::add),
              served,
              proposal);
      if (next.equals(served)) {
        return new WriteResult(current, WriteResult.Effect.CHANGED, warnings);
      }
      ObjectNode stored = Versions.ordered(resource.conversion().toStored(next));
      boolean gone = Trees.deleting(stored) && Versions.finalized(resource, stored);
      StoredObject unstored = StoredObject.unstored(key, stored, current.revision());
      Optional<StoredObject> written;
      if (options.dryRun()) {
        written = Optional.of(unstored);
      } else if (gone) {
        // The answer has the version before the deletion, whose own version only watches show.
        written = store.remove(kind, current, stored).map(removed -> unstored);
      } else {
        written = store.replace(kind, current, stored);
      }
      if (written.isPresent()) {
        return new WriteResult(
            written.get(), gone ? WriteResult.Effect.GONE : WriteResult.Effect.CHANGED, warnings);
      }
    }
    throw ApiErrors.modified(resource.group(), resource.plural(), key.name());
  }

  /** The next version in the served form. */
  private ObjectNode next(Admission.Attempt attempt, ObjectNode served, Proposal proposal) {
    ServedResource resource = attempt.resource();
    Instant now = clock.instant();
    ObjectNode before = ManagedFields.NONE.in(served);
    ObjectNode proposed =
        Versions.proposed(resource, before, proposal.prepared(), attempt.subresource());
    ManagedFields after = proposal.owners().after(before, proposed, now);
    ObjectNode admitted =
        admission
            .mutate(attempt, proposed)
            .map(object -> resource.rules().prepare(object))
            .map(object -> Versions.proposed(resource, before, object, attempt.subresource()))
            .orElse(proposed);
    ObjectNode next = Versions.next(resource, before, admitted, now);
    Versions.validate(resource, next, before, attempt.key().name());
    admission.validate(attempt, next);
    return after.in(next);
  }
}
