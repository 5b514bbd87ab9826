// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * kueue4j extension: how one ClusterQueue requeues workloads whose pods were not ready in time
 * (KEP-1282).
 *
 * @param timestamp the time that orders requeued workloads
 * @param backoffLimitCount requeues before the workload is deactivated, 0 or more
 * @param backoffBaseSeconds first delay in seconds, doubled by each requeue
 * @param backoffMaxSeconds longest delay in seconds
 * @param backoffLimitTimeout time since the first admission without ready pods after which the
 *     workload is deactivated
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodsReadyRequeuingStrategy(
    @Nullable RequeuingTimestamp timestamp,
    @Nullable Integer backoffLimitCount,
    @Nullable Integer backoffBaseSeconds,
    @Nullable Integer backoffMaxSeconds,
    @Nullable Duration backoffLimitTimeout) {}
