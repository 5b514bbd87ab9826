// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a queue that wait for a worker. Groups take turns, and a group whose keys occupy its
 * share of the workers waits; within a group, first in is first out. Keys of low priority come
 * after all others, but get every eighth turn. Not safe for threads: the queue's monitor guards it.
 *
 * @param <K> an immutable key
 */
final class WaitingKeys<K> {

  /** How the workers are shared. */
  record Sharing<K>(Function<K, String> group, SharedPlaces<String> workers) {}

  /** Others that are handed out in a row while keys of low priority wait. */
  private static final int BEFORE_LOW_PRIORITY = 7;

  private final @Nullable Sharing<K> sharing;

  /** By group; the next in turn first. */
  private final Map<String, Queue<K>> waiting = new LinkedHashMap<>();

  private final SequencedSet<K> lowPriority = new LinkedHashSet<>();

  /** The keys that were handed out since the last one of low priority. */
  private int inARow;

  private int size;

  /** Keys of one group, or of several that share the workers. */
  WaitingKeys(@Nullable Sharing<K> sharing) {
    this.sharing = sharing;
  }

  void add(K key) {
    waiting.computeIfAbsent(group(key), group -> new ArrayDeque<>()).add(key);
    size++;
  }

  /** Only where groups don't share the workers, which has an order of its own. */
  void addLowPriority(K key) {
    if (sharing == null) {
      lowPriority.add(key);
      size++;
    } else {
      add(key);
    }
  }

  /** Moves a key that waits with low priority to the others. */
  void raise(K key) {
    if (lowPriority.remove(key)) {
      size--;
      add(key);
    }
  }

  /** The next key that may have a worker, which it has from now on; null if there is none. */
  @Nullable K poll() {
    if (lowPriority.isEmpty()) {
      return pollOthers();
    }
    @Nullable K other = inARow < BEFORE_LOW_PRIORITY ? pollOthers() : null;
    if (other != null) {
      inARow++;
      return other;
    }
    inARow = 0;
    size--;
    return lowPriority.removeFirst();
  }

  private @Nullable K pollOthers() {
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
