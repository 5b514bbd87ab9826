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
package io.github.kueue4j.core.usage;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Quota that a Workload holds, as far as usage goes.
 *
 * @param uid of the Workload
 * @param since when the quota was reserved; null as long as that is decided but not written
 * @param localQueue the LocalQueue that the Workload came through
 * @param clusterQueue the ClusterQueue whose quota it is
 * @param requests how much, by resource
 * @param admitted whether the Workload may run
 */
@API(status = API.Status.INTERNAL)
public record Reservation(
    String uid,
    @Nullable Instant since,
    ObjectKey localQueue,
    String clusterQueue,
    Amounts<String> requests,
    boolean admitted) {
  /** Whether both are stages of one reservation, not two after each other. */
  boolean continues(Reservation previous) {
    return uid.equals(previous.uid) && Objects.equals(since, previous.since);
  }
}
