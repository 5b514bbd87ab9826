// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a queue as the State knows it (KEP-4136).
 *
 * @param compared the usage by which it is compared with other queues: past usage and entry
 *     penalties, weighted by resource and divided by the queue's weight; infinite for weight 0
 * @param sampled what its status is going to say; null until there is a sample
 */
@API(status = API.Status.INTERNAL)
public record QueueUsage(double compared, @Nullable AdmissionFairSharingStatus sampled) {}
