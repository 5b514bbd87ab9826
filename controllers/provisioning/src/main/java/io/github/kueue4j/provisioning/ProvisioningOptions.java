// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the provisioning check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param recheckReadyEvery how often the request of a workload that is Ready is read again, besides
 *     when it changes: capacity may be revoked; positive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningOptions(String controllerName, Duration recheckReadyEvery) {

  /** {@code kueue.x-k8s.io/provisioning-request}, one hour. */
  public static ProvisioningOptions defaults() {
    return new ProvisioningOptions("kueue.x-k8s.io/provisioning-request", Duration.ofHours(1));
  }
}
