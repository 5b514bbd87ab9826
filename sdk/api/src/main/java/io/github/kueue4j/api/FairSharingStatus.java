// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The share of a queue or cohort.
 *
 * @param weightedShare the largest ratio of borrowed to lendable quota, in thousandths, divided by
 *     the weight; 9223372036854775807 for weight 0 that borrows
 * @param admissionFairSharingStatus past usage (KEP-4136); on ClusterQueue and Cohort a kueue4j
 *     extension
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FairSharingStatus(
    @Required long weightedShare,
    @Nullable AdmissionFairSharingStatus admissionFairSharingStatus) {}
