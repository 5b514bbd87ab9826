// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * An iterable that sorts lazily, only as far as it is read: of a thousand candidates, a search
 * usually reads the first few. Can be iterated repeatedly.
 */
final class LazySorted<T> implements Iterable<T> {
  private final PriorityQueue<T> rest;
  private final List<T> read = new ArrayList<>();

  LazySorted(Collection<T> all, Comparator<T> order) {
    this.rest = new PriorityQueue<>(Math.max(1, all.size()), order);
    rest.addAll(all);
  }

  /** Iterates in ascending order. */
  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < read.size() || !rest.isEmpty();
      }

      @Override
      public T next() {
        if (next == read.size()) {
          read.add(rest.remove());
        }
        return read.get(next++);
      }
    };
  }
}
