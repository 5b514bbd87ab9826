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
package io.github.kueue4j.core.preemption;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts as far as somebody reads: of a thousand candidates the first few usually do. Can be read
 * again.
 */
final class InOrder<T> implements Iterable<T> {
  private final PriorityQueue<T> rest;
  private final List<T> read = new ArrayList<>();

  InOrder(Collection<T> all, Comparator<T> order) {
    this.rest = new PriorityQueue<>(Math.max(1, all.size()), order);
    rest.addAll(all);
  }

  /** From the smallest on. */
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
