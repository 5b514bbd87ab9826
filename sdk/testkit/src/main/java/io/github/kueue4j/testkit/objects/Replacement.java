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

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.managed.ManagedFields;
import io.github.kueue4j.testkit.status.ApiErrors;
import io.github.kueue4j.testkit.store.Key;
import io.github.kueue4j.testkit.store.KindStore;
import io.github.kueue4j.testkit.store.ObjectStore;
import io.github.kueue4j.testkit.store.StoredObject;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts new versions in the place of stored ones. */
record Replacement(ObjectStore store, InstantSource clock, Admission admission) {

  /**
   * What a client wants an object to be.
   *
   * @param incoming as the client put it, for its preconditions
   * @param prepared without unknown fields and with defaults
   */
  record Proposal(ObjectNode incoming, ObjectNode prepared, Owners owners, List<String> warnings) {}

  /** What a client wants of whatever is stored when its turn comes. */
  interface Intent {
    Proposal propose(ObjectNode served, ManagedFields managers);
  }

  /**
   * Puts the version that a client wants in the place of the current one.
   *
   * @param subresource the endpoint; what it can't change stays
   * @throws io.github.kueue4j.testkit.status.ApiException if the API refuses it
   */
  Written replace(
      ServedResource resource, Key key, String subresource, Intent intent, WriteOptions options) {
    KindStore kind = store.kind(resource.storageName());
    for (int attempt = 0; attempt < ObjectOperations.ATTEMPTS; attempt++) {
      StoredObject current =
          kind.get(key).orElseThrow(() -> ObjectOperations.notFound(resource, key));
      ObjectNode served = resource.conversion().toServed(current.tree());
      ManagedFields managers = ManagedFields.read(served).orElse(ManagedFields.NONE);
      Proposal proposal = intent.propose(served, managers);
      Incoming.checkPreconditions(resource, current, proposal.incoming());
      List<String> warnings = new ArrayList<>(proposal.warnings());
      ObjectNode next =
          next(
              new Admission.Attempt(
                  resource,
                  key,
                  subresource,
                  Admission.Operation.UPDATE,
                  served,
                  options.dryRun(),
                  options.user(),
                  warnings::add),
              served,
              proposal);
      if (next.equals(served)) {
        return new Written(current, Written.Effect.CHANGED, warnings);
      }
      ObjectNode stored = Versions.ordered(resource.conversion().toStored(next));
      boolean gone = Trees.deleting(stored) && Versions.finalized(resource, stored);
      Optional<StoredObject> written;
      if (options.dryRun()) {
        written = Optional.of(StoredObject.unstored(key, stored, current.revision()));
      } else if (gone) {
        written = store.remove(kind, current, stored);
      } else {
        written = store.replace(kind, current, stored);
      }
      if (written.isPresent()) {
        return new Written(
            written.get(), gone ? Written.Effect.GONE : Written.Effect.CHANGED, warnings);
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
