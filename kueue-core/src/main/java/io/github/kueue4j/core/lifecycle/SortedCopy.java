// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Copies of maps by name that can't be changed. */
final class SortedCopy {
  private SortedCopy() {}

  /** A copy; one for all if empty, as it is for most Workloads. */
  static <T> SortedMap<String, T> of(SortedMap<String, T> map) {
    return map.isEmpty()
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }
}
