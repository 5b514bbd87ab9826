// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.FlavorResource;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The report of the State about a Cohort, be it an object or only named by others.
 *
 * @param share what it borrows from its parent
 * @param quota its own and what its members lend
 * @param reservation quota of all reserving Workloads below it
 * @param admitted Workloads below it that are admitted
 * @param usage what the ClusterQueues below it have used, as their statuses say it; null where that
 *     isn't counted, or not yet
 */
@API(status = API.Status.INTERNAL)
public record CohortReport(
    DominantShare share,
    Amounts<FlavorResource> quota,
    Amounts<FlavorResource> reservation,
    int admitted,
    @Nullable AdmissionFairSharingStatus usage) {}
