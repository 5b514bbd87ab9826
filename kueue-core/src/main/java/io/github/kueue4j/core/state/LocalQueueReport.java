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

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link State} says about a LocalQueue.
 *
 * @param queue the newest version seen
 * @param health whether Workloads can be submitted to it
 * @param counts what waits in it and what holds quota through it
 * @param clusterQueue the rules of its ClusterQueue; null if there is none
 * @param usage what it has used; null where that isn't counted
 */
@API(status = API.Status.INTERNAL)
public record LocalQueueReport(
    LocalQueue queue,
    Health health,
    QueueCounts counts,
    @Nullable ClusterQueueSpec clusterQueue,
    @Nullable QueueUsage usage) {}
