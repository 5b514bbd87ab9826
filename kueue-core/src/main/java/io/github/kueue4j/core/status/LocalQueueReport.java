// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.LocalQueue;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The report of the State about a LocalQueue.
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
