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
package io.github.kueue4j.provisioning;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the provisioning check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param recheckReadyEvery how often the request of a workload that was let through is looked at
 *     again, besides when it changes: capacity may be revoked; positive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningOptions(String controllerName, Duration recheckReadyEvery) {

  /** {@code kueue.x-k8s.io/provisioning-request}, one hour. */
  public static ProvisioningOptions defaults() {
    return new ProvisioningOptions("kueue.x-k8s.io/provisioning-request", Duration.ofHours(1));
  }

  /** The same options with another controller name. */
  public ProvisioningOptions withControllerName(String other) {
    return new ProvisioningOptions(other, recheckReadyEvery);
  }
}
