// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Past usage that decays over time (KEP-4136).
 *
 * @param consumedResources resource name to decayed usage
 * @param lastUpdate when it was computed; whole seconds; the epoch when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionFairSharingStatus(
    @Required Map<String, Quantity> consumedResources, @Required Instant lastUpdate) {
  public AdmissionFairSharingStatus {
    consumedResources = Lenient.map(consumedResources);
    lastUpdate = Lenient.secondsOrEpoch(lastUpdate);
  }
}
