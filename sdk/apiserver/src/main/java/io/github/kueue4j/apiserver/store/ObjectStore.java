// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * All objects. Writers compute a new version without any lock and then swap it in if the version
 * that they started from is still the current one; one lock orders the swaps of all kinds, so that
 * a revision means the same everywhere. Readers take no lock, except for a consistent list.
 */
@API(status = API.Status.INTERNAL)
public final class ObjectStore {
  private final ReentrantLock writes = new ReentrantLock();
  private final ConcurrentHashMap<String, KindStore> kinds = new ConcurrentHashMap<>();
  private final List<BiConsumer<KindStore, Change>> observers = new CopyOnWriteArrayList<>();
  private final int historyWindow;
  private volatile long revision = 1;

  /**
   * @param historyWindow changes per kind that stay available to watches, at least 1
   */
  public ObjectStore(int historyWindow) {
    this.historyWindow = historyWindow;
  }

  /** The revision of the newest change of any kind. */
  public long revision() {
    return revision;
  }

  /** The objects of one kind; made empty on first use. */
  public KindStore kind(String storageName) {
    return kinds.computeIfAbsent(storageName, name -> new KindStore(this, name, historyWindow));
  }

  public Collection<KindStore> kinds() {
    return kinds.values();
  }

  /**
   * Calls the observer with every change, in order, while no other write can happen; it must be
   * quick and must not write.
   */
  public void observe(BiConsumer<KindStore, Change> observer) {
    observers.add(observer);
  }

  /** Adds an object; empty if the key is taken. */
  public Optional<StoredObject> insert(KindStore kind, Key key, ObjectNode tree) {
    StoredObject added;
    writes.lock();
    try {
      if (kind.get(key).isPresent()) {
        return Optional.empty();
      }
      added = version(key, tree);
      publish(kind, new Change(Change.ChangeType.ADDED, added, null));
    } finally {
      writes.unlock();
    }
    wake(kind, added);
    return Optional.of(added);
  }

  /** Puts a new version in the place of the expected one; empty if that isn't current any more. */
  public Optional<StoredObject> replace(KindStore kind, StoredObject expected, ObjectNode tree) {
    return swap(kind, expected, tree, Change.ChangeType.MODIFIED);
  }

  /**
   * Removes the expected version.
   *
   * @param last what watchers see of it, usually the expected version's tree
   * @return the removed object, with the revision of its removal; empty if the expected version
   *     isn't current any more
   */
  public Optional<StoredObject> remove(KindStore kind, StoredObject expected, ObjectNode last) {
    return swap(kind, expected, last, Change.ChangeType.DELETED);
  }

  private Optional<StoredObject> swap(
      KindStore kind, StoredObject expected, ObjectNode tree, Change.ChangeType changeType) {
    StoredObject changed;
    writes.lock();
    try {
      if (!kind.isCurrent(expected)) {
        return Optional.empty();
      }
      changed = version(expected.key(), tree);
      publish(kind, new Change(changeType, changed, expected));
    } finally {
      writes.unlock();
    }
    wake(kind, changed);
    return Optional.of(changed);
  }

  /** Forgets the history of every kind: no older revision can be watched or listed any more. */
  public void expireHistory() {
    writes.lock();
    try {
      // A revision of its own, so that a watch which has seen everything so far expires too.
      long next = revision + 1;
      kinds.values().forEach(kind -> kind.forget(next));
      revision = next;
    } finally {
      writes.unlock();
    }
    kinds.values().forEach(KindStore::wake);
  }

  /** Runs a reader while no write can happen. */
  <T> T consistently(Supplier<T> reader) {
    writes.lock();
    try {
      return reader.get();
    } finally {
      writes.unlock();
    }
  }

  private StoredObject version(Key key, ObjectNode tree) {
    long next = revision + 1;
    ObjectNode metadata = Trees.fresh(Trees.metadata(tree));
    metadata.put("resourceVersion", Long.toString(next));
    return new StoredObject(key, Trees.withMetadata(tree, metadata), next);
  }

  private void publish(KindStore kind, Change change) {
    kind.apply(change);
    // After the change is in the history: a reader of the revision then finds everything up to it.
    revision = change.revision();
    observers.forEach(observer -> observer.accept(kind, change));
  }

  private static void wake(KindStore kind, StoredObject changed) {
    // The writer needs the text for its answer anyway; made first, watchers find it ready.
    byte[] unused = changed.json();
    kind.wake();
  }
}
