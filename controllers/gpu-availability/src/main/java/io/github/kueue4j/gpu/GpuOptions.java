// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the GPU check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param withoutParameters the policy of AdmissionChecks that name none
 * @param recheckEvery how often workloads that were let through are looked at again, where a policy
 *     evicts from lost nodes; positive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record GpuOptions(
    String controllerName, GpuPolicy withoutParameters, Duration recheckEvery) {

  /** {@code kueue4j.io/gpu-availability}, {@link GpuPolicy#defaults}, 30 s. */
  public static GpuOptions defaults() {
    return new GpuOptions(
        "kueue4j.io/gpu-availability", GpuPolicy.defaults(), Duration.ofSeconds(30));
  }

  /** The same options with another policy of AdmissionChecks that name none. */
  public GpuOptions withoutParameters(GpuPolicy other) {
    return new GpuOptions(controllerName, other, recheckEvery);
  }
}
