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
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * How many pods of a pod set have finished, so that their quota can be used by others.
 *
 * @param name the pod set
 * @param count 0 or more
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReclaimablePod(@Required String name, @Required int count) {
  public ReclaimablePod {
    name = Lenient.text(name);
  }

  /** A copy with another {@code name}. */
  public ReclaimablePod withName(String name) {
    return new ReclaimablePod(name, count);
  }

  /** A copy with another {@code count}. */
  public ReclaimablePod withCount(int count) {
    return new ReclaimablePod(name, count);
  }
}
