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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link State} says about a ClusterQueue.
 *
 * @param queue the newest version seen
 * @param health whether it can admit
 * @param counts what waits in it and what holds its quota
 * @param inadmissible how many of the waiting won't be tried again until something changes
 * @param share what it borrows from its Cohort
 * @param cohort its Cohort; empty if it stands alone
 * @param usage what it has used; null where that isn't counted
 */
@API(status = API.Status.INTERNAL)
public record ClusterQueueReport(
    ClusterQueue queue,
    Health health,
    QueueCounts counts,
    int inadmissible,
    DominantShare share,
    String cohort,
    @Nullable QueueUsage usage) {}
