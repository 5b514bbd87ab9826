// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * Where the search for flavors stopped before it had tried all of them.
 *
 * @param next index of the next flavor by pod set and resource group; absent where all were tried
 */
@API(status = API.Status.INTERNAL)
public record FlavorProgress(Map<SearchKey, Integer> next) {
  /**
   * One search: a pod set and a resource group.
   *
   * @param podSet index of the pod set, from 0
   * @param group index of the resource group, from 0
   */
  @API(status = API.Status.INTERNAL)
  public record SearchKey(int podSet, int group) {}

  public FlavorProgress {
    next = Map.copyOf(next);
  }

  /** No flavor has been tried yet, or all have been. */
  public static FlavorProgress none() {
    return new FlavorProgress(Map.of());
  }

  /** Whether there are flavors that weren't tried. */
  public boolean untried() {
    return !next.isEmpty();
  }

  int from(SearchKey searchKey) {
    return next.getOrDefault(searchKey, 0);
  }
}
