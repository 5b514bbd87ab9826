// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * kueue4j extension: the overrides of a ClusterQueue for the configuration's waitForPodsReady
 * (KEP-1282).
 *
 * <p>For each absent field the configuration's value applies; without waitForPodsReady in the
 * configuration the block has no effect.
 *
 * @param timeout from admission until all pods are ready
 * @param recoveryTimeout from a pod's failure until all pods are ready again; 0 s disables it
 * @param requeuingStrategy how workloads are requeued after a timeout
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterQueuePodsReady(
    @Nullable Duration timeout,
    @Nullable Duration recoveryTimeout,
    @Nullable PodsReadyRequeuingStrategy requeuingStrategy) {}
