// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.core.quota.DominantShare;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The report of the State about a ClusterQueue.
 *
 * @param queue the newest version seen
 * @param health whether it can admit
 * @param counts what waits in it and what holds its quota
 * @param inadmissible how many of the waiting won't be tried again until something changes
 * @param share what it borrows from its Cohort
 * @param cohort its Cohort; empty if it has none
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
