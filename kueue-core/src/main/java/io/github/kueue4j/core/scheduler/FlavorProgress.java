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
package io.github.kueue4j.core.scheduler;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * Where the search for flavors stopped before it had tried all of them: it found one that might do.
 *
 * @param next number of the next flavor by pod set and resource group; absent where all were tried
 */
@API(status = API.Status.INTERNAL)
public record FlavorProgress(Map<Place, Integer> next) {
  /**
   * A search of its own.
   *
   * @param podSet number of the pod set
   * @param group number of the resource group
   */
  @API(status = API.Status.INTERNAL)
  public record Place(int podSet, int group) {}

  public FlavorProgress {
    next = Map.copyOf(next);
  }

  /** Nothing is tried yet, or everything was. */
  public static FlavorProgress none() {
    return new FlavorProgress(Map.of());
  }

  /** Whether another try would look at flavors that this one didn't. */
  public boolean untried() {
    return !next.isEmpty();
  }

  int from(Place place) {
    return next.getOrDefault(place, 0);
  }
}
