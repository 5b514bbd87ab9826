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
import org.apiguardian.api.API;

/**
 * A Workload that holds quota, as preemption sees it.
 *
 * @param key namespace and name
 * @param uid of the object
 * @param clusterQueue whose quota it holds
 * @param localQueue the LocalQueue that it came through
 * @param queuedSince since when it counts as waiting when priorities are equal
 * @param reservedSince since when it holds the quota; {@link Instant#MAX} while the reservation
 *     isn't written yet
 * @param usage how much
 * @param evicted whether it is on its way out already: its quota need only be awaited
 */
@API(status = API.Status.INTERNAL)
public record Candidate(
    ObjectKey key,
    String uid,
    String clusterQueue,
    ObjectKey localQueue,
    int priority,
    Instant queuedSince,
    Instant reservedSince,
    Amounts<FlavorResource> usage,
    boolean evicted) {
  public Candidate {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(localQueue, "localQueue");
    Objects.requireNonNull(queuedSince, "queuedSince");
    Objects.requireNonNull(reservedSince, "reservedSince");
    Objects.requireNonNull(usage, "usage");
  }
}
