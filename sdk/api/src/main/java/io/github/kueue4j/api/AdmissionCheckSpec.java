// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The controller of a check, its parameters, and the handling of its Retry.
 *
 * @param controllerName name of the controller, immutable, 1 to 253 characters
 * @param parameters an object with the parameters of the check
 * @param retry kueue4j extension: the delay of a Retry without {@code requeueAfterSeconds}; absent
 *     is the shortest that the core allows
 * @param retryLimits kueue4j extension: how far the check may go with Retry; absent is no limit
 * @param pendingTimeoutSeconds kueue4j extension: seconds, at least 1, after which a Pending entry
 *     of a reserved workload becomes Retry; absent is never
 * @param preemptionPolicy kueue4j extension: when quota for a workload with this check may be freed
 *     by preemption (KEP-993); absent is Anytime
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckSpec(
    @Required String controllerName,
    @Nullable AdmissionCheckParametersReference parameters,
    @Nullable AdmissionCheckRetry retry,
    @Nullable AdmissionCheckRetryLimits retryLimits,
    @Nullable Integer pendingTimeoutSeconds,
    PreemptionPolicy preemptionPolicy) {
  public AdmissionCheckSpec {
    controllerName = Lenient.text(controllerName);
    preemptionPolicy = preemptionPolicy == null ? PreemptionPolicy.ANYTIME : preemptionPolicy;
  }

  /** An empty spec: every field absent or at its default. */
  public static AdmissionCheckSpec empty() {
    return new AdmissionCheckSpec("", null, null, null, null, PreemptionPolicy.ANYTIME);
  }
}
