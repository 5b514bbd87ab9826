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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A Workload that doesn't fit and looks for others to preempt.
 *
 * @param clusterQueue in which it waits
 * @param localQueue the LocalQueue that it came through
 * @param queuedSince since when it counts as waiting
 * @param usage the quota that its assignment takes
 * @param contested those of it that don't fit: only who holds some of them is of use
 */
@API(status = API.Status.INTERNAL)
public record Preemptor(
    String clusterQueue,
    ObjectKey localQueue,
    int priority,
    Instant queuedSince,
    Amounts<FlavorResource> usage,
    Set<FlavorResource> contested) {
  public Preemptor {
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(localQueue, "localQueue");
    Objects.requireNonNull(queuedSince, "queuedSince");
    Objects.requireNonNull(usage, "usage");
    contested = Set.copyOf(contested);
  }

  /** Whether a candidate holds any of what is contested. */
  boolean gainsFrom(Candidate candidate) {
    for (FlavorResource key : contested) {
      if (candidate.usage().get(key) > 0) {
        return true;
      }
    }
    return false;
  }
}
