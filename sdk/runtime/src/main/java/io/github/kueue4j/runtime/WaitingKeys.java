// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a queue that wait for a worker. Groups take turns, and a group whose keys occupy its
 * share of the workers waits; within a group, first in is first out. Not safe for threads: the
 * queue's monitor guards it.
 *
 * @param <K> an immutable key
 */
final class WaitingKeys<K> {

  /** How the workers are shared. */
  record Sharing<K>(Function<K, String> group, SharedPlaces<String> workers) {}

  private final @Nullable Sharing<K> sharing;

  /** By group; the next in turn first. */
  private final Map<String, Queue<K>> waiting = new LinkedHashMap<>();

  private int size;

  /** Keys of one group, or of several that share the workers. */
  WaitingKeys(@Nullable Sharing<K> sharing) {
    this.sharing = sharing;
  }

  void add(K key) {
    waiting.computeIfAbsent(group(key), group -> new ArrayDeque<>()).add(key);
    size++;
  }

  /** The next key that may have a worker, which it has from now on; null if there is none. */
  @Nullable K poll() {
    Iterator<Map.Entry<String, Queue<K>>> turns = waiting.entrySet().iterator();
    while (turns.hasNext()) {
      Map.Entry<String, Queue<K>> turn = turns.next();
      if (sharing == null || sharing.workers().tryTake(turn.getKey())) {
        String group = turn.getKey();
        Queue<K> keys = turn.getValue();
        turns.remove();
        @Nullable K key = keys.poll();
        size--;
        if (!keys.isEmpty()) {
          waiting.put(group, keys);
        }
        return key;
      }
    }
    return null;
  }

  /** The worker of this key is free again. */
  void done(K key) {
    if (sharing != null) {
      sharing.workers().giveBack(group(key));
    }
  }

  int size() {
    return size;
  }

  private String group(K key) {
    return sharing == null ? "" : sharing.group().apply(key);
  }
}
