// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.github.kueue4j.core.owner.Alignment;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the changes of Workloads that the API server has refused. Asking for the same change at
 * each event would only repeat the refusal; another change, or the same one after a pause, may be
 * accepted. Thread-safe.
 */
final class RefusedChanges {
  /** How long a refused change isn't asked for again. */
  static final Duration PAUSE = Duration.ofMinutes(1);

  private final Map<ObjectKey, RefusedChange> latest = new ConcurrentHashMap<>();

  /** The change that was asked for, and the time until which it isn't asked for again. */
  private record RefusedChange(WorkloadSpec spec, Map<String, String> annotations, Instant until) {}

  void add(Alignment.Change change, Instant until) {
    latest.put(
        ObjectKey.of(change.after()),
        new RefusedChange(change.after().spec(), annotations(change.after()), until));
  }

  /** Until when this very change isn't asked for again; empty if it may be. */
  Optional<Instant> refusedUntil(Alignment.Change change, Instant now) {
    return Optional.ofNullable(latest.get(ObjectKey.of(change.after())))
        .filter(refusedChange -> now.isBefore(refusedChange.until()))
        .filter(refusedChange -> refusedChange.annotations().equals(annotations(change.after())))
        .filter(refusedChange -> refusedChange.spec().equals(change.after().spec()))
        .map(RefusedChange::until);
  }

  /** Until when the latest change isn't asked for again; empty if nothing was refused. */
  Optional<Instant> until(ObjectKey workload) {
    return Optional.ofNullable(latest.get(workload)).map(RefusedChange::until);
  }

  /** A change was accepted, none is needed any more, or the Workload is gone. */
  void forget(ObjectKey workload) {
    latest.remove(workload);
  }

  private static Map<String, String> annotations(Workload workload) {
    return Metadata.annotations(workload);
  }
}
