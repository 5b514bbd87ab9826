/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Who answers for a check, and how its Retry is carried out.
 *
 * @param controllerName the controller, immutable, 1 to 253 characters
 * @param parameters an object with the parameters of the check
 * @param retry kueue4j extension: the delay of a Retry that names none; absent is no delay
 * @param pendingTimeoutSeconds kueue4j extension: seconds, at least 1, after which a Pending entry
 *     of a reserved workload is turned into Retry; absent is never
 * @param preemptionPolicy kueue4j extension: when quota for a workload with this check may be freed
 *     by preemption (KEP-993); absent is Anytime
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckSpec(
    @Required String controllerName,
    @Nullable AdmissionCheckParametersReference parameters,
    @Nullable AdmissionCheckRetry retry,
    @Nullable Integer pendingTimeoutSeconds,
    PreemptionPolicy preemptionPolicy) {
  public AdmissionCheckSpec {
    controllerName = Lenient.text(controllerName);
    preemptionPolicy = preemptionPolicy == null ? PreemptionPolicy.ANYTIME : preemptionPolicy;
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static AdmissionCheckSpec empty() {
    return new AdmissionCheckSpec("", null, null, null, PreemptionPolicy.ANYTIME);
  }

  /** A copy with another {@code controllerName}. */
  public AdmissionCheckSpec withControllerName(String controllerName) {
    return new AdmissionCheckSpec(
        controllerName, parameters, retry, pendingTimeoutSeconds, preemptionPolicy);
  }

  /** A copy with another {@code parameters}. */
  public AdmissionCheckSpec withParameters(@Nullable AdmissionCheckParametersReference parameters) {
    return new AdmissionCheckSpec(
        controllerName, parameters, retry, pendingTimeoutSeconds, preemptionPolicy);
  }

  /** A copy with another {@code retry}. */
  public AdmissionCheckSpec withRetry(@Nullable AdmissionCheckRetry retry) {
    return new AdmissionCheckSpec(
        controllerName, parameters, retry, pendingTimeoutSeconds, preemptionPolicy);
  }

  /** A copy with another {@code pendingTimeoutSeconds}. */
  public AdmissionCheckSpec withPendingTimeoutSeconds(@Nullable Integer pendingTimeoutSeconds) {
    return new AdmissionCheckSpec(
        controllerName, parameters, retry, pendingTimeoutSeconds, preemptionPolicy);
  }

  /** A copy with another {@code preemptionPolicy}. */
  public AdmissionCheckSpec withPreemptionPolicy(PreemptionPolicy preemptionPolicy) {
    return new AdmissionCheckSpec(
        controllerName, parameters, retry, pendingTimeoutSeconds, preemptionPolicy);
  }
}
