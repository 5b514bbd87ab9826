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
package io.github.kueue4j.core.lifecycle;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Until when an admitted Workload may go on as it is.
 *
 * @param podsReady when it is evicted, or deactivated at a limit, unless its pods are ready by then
 *     (KEP-1282); null if nobody waits for them
 * @param executionTime when its maximum execution time is over; null without one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RunningLimits(@Nullable Instant podsReady, @Nullable Instant executionTime) {

  /** The one that comes first; null if there is none. */
  public @Nullable Instant earliest() {
    return Stamps.earlierOrNull(podsReady, executionTime);
  }
}
