// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives every distinct value a number, so that worlds are made of numbers. */
final class Interner<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> values = new ArrayList<>();

  int number(T value) {
    Integer known = numbers.get(value);
    if (known != null) {
      return known;
    }
    int next = values.size();
    numbers.put(value, next);
    values.add(value);
    return next;
  }

  T value(int number) {
    return values.get(number);
  }

  int size() {
    return values.size();
  }
}
