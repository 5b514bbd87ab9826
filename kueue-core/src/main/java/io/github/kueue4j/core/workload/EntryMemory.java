// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what was observed of the check entries of each Workload, since the lifecycle keeps nothing.
 * Lost at a restart. Thread-safe.
 */
final class EntryMemory {
  private final Map<ObjectKey, Remembered> remembered = new ConcurrentHashMap<>();

  /** A Workload of the same name that was created later has another uid. */
  private record Remembered(String uid, ObservedEntries observedEntries) {}

  ObservedEntries observedEntries(ObjectKey key, Workload workload) {
    Remembered known = remembered.get(key);
    return known == null || !known.uid().equals(Uids.of(workload))
        ? ObservedEntries.none()
        : known.observedEntries();
  }

  void remember(ObjectKey key, Workload workload, ObservedEntries observedEntries) {
    remembered.put(key, new Remembered(Uids.of(workload), observedEntries));
  }

  void forget(ObjectKey key) {
    remembered.remove(key);
  }
}
