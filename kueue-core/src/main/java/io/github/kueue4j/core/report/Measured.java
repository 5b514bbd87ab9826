// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import org.apiguardian.api.API;

/**
 * The optional metrics that are measured.
 *
 * @param resources quota of ClusterQueues by flavor and resource
 * @param cohorts what is below each Cohort
 * @param fairSharing shares, as they count in preemption
 */
@API(status = API.Status.INTERNAL)
public record Measured(boolean resources, boolean cohorts, boolean fairSharing) {}
