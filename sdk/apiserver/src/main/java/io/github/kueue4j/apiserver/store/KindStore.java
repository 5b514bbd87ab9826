// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apiguardian.api.API;

/** The objects of one kind and the recent history of their changes. */
@API(status = API.Status.INTERNAL)
public final class KindStore {

  /**
   * Objects as they were at one revision.
   *
   * @param objects sorted by namespace and name
   */
  public record Snapshot(long revision, List<StoredObject> objects) {}

  private final ObjectStore store;
  private final String name;
  private final int historyWindow;
  private final ConcurrentSkipListMap<Key, StoredObject> objects = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<Long, Change> history = new ConcurrentSkipListMap<>();
  private final List<ChangeCursor> cursors = new CopyOnWriteArrayList<>();

  /** Changes after this revision are all in the history. */
  private volatile long horizon;

  private int historySize;
  private volatile long newest;

  KindStore(ObjectStore store, String name, int historyWindow) {
    this.store = store;
    this.name = name;
    this.historyWindow = historyWindow;
  }

  /** The storage name, {@code group/plural}. */
  public String name() {
    return name;
  }

  public Optional<StoredObject> get(Key key) {
    return Optional.ofNullable(objects.get(key));
  }

  public boolean isCurrent(StoredObject version) {
    return objects.get(version.key()) == version;
  }

  public int size() {
    return objects.size();
  }

  public boolean isEmpty() {
    return objects.isEmpty();
  }

  /** The revision of the newest change of an object of this kind; 0 if there was none. */
  public long newest() {
    return newest;
  }

  /**
   * The current objects of a namespace, or of all if it is empty, without a consistent revision.
   */
  public Collection<StoredObject> current(String namespace) {
    return range(objects, namespace).values();
  }

  /** The objects of a namespace, or of all if it is empty, together with their revision. */
  public Snapshot snapshot(String namespace) {
    return store.consistently(
        () -> new Snapshot(store.revision(), new ArrayList<>(range(objects, namespace).values())));
  }

  /**
   * The objects as they were at an earlier revision: the current ones with the later changes taken
   * back. Empty if the history doesn't reach back that far.
   */
  public Optional<Snapshot> snapshotAt(String namespace, long revision) {
    return store.consistently(
        () -> {
          if (revision < horizon || revision > store.revision()) {
            return Optional.empty();
          }
          TreeMap<Key, StoredObject> then = new TreeMap<>(range(objects, namespace));
          for (Change change : history.tailMap(revision, false).descendingMap().values()) {
            Key key = change.object().key();
            if (!namespace.isEmpty() && !namespace.equals(key.namespace())) {
              continue;
            }
            StoredObject previous = change.previous();
            if (previous == null) {
              then.remove(key);
            } else {
              then.put(key, previous);
            }
          }
          return Optional.of(new Snapshot(revision, List.copyOf(then.values())));
        });
  }

  /**
   * Follows the changes after a revision. The cursor must be closed.
   *
   * @throws HistoryExpiredException if the history doesn't reach back that far
   */
  public ChangeCursor follow(long revision) {
    ChangeCursor cursor = new ChangeCursor(this, revision);
    if (revision < horizon) {
      throw new HistoryExpiredException(revision, horizon);
    }
    cursors.add(cursor);
    return cursor;
  }

  void unfollow(ChangeCursor cursor) {
    cursors.remove(cursor);
  }

  /** Up to {@code limit} changes after one revision and up to another, oldest first. */
  List<Change> changes(long after, long upTo, int limit) {
    List<Change> result = new ArrayList<>();
    for (Change change : history.subMap(after, false, upTo, true).values()) {
      result.add(change);
      if (result.size() == limit) {
        break;
      }
    }
    // Checked last: what was trimmed while we read would be missing from the result.
    if (after < horizon) {
      throw new HistoryExpiredException(after, horizon);
    }
    return result;
  }

  long storeRevision() {
    return store.revision();
  }

  void apply(Change change) {
    StoredObject object = change.object();
    if (change.changeType() == Change.ChangeType.DELETED) {
      objects.remove(object.key());
    } else {
      objects.put(object.key(), object);
    }
    newest = change.revision();
    history.put(change.revision(), change);
    historySize++;
    while (historySize > historyWindow) {
      Map.Entry<Long, Change> oldest = history.firstEntry();
      if (oldest == null) {
        break;
      }
      // The horizon moves before the change goes, so that a reader notices what it missed.
      horizon = oldest.getKey();
      history.remove(oldest.getKey());
      historySize--;
    }
  }

  void forget(long revision) {
    horizon = revision;
    history.clear();
    historySize = 0;
  }

  void wake() {
    for (ChangeCursor cursor : cursors) {
      cursor.wake();
    }
  }

  private static SortedMap<Key, StoredObject> range(
      ConcurrentSkipListMap<Key, StoredObject> objects, String namespace) {
    return namespace.isEmpty()
        ? objects
        : objects.subMap(new Key(namespace, ""), new Key(namespace + '\0', ""));
  }
}
