// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The response of the autoscaler.
 *
 * @param conditions {@code Accepted}, {@code Provisioned}, {@code Failed}, {@code BookingExpired},
 *     {@code CapacityRevoked}
 * @param provisioningClassDetails values of the class, at most 64
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequestStatus(
    List<Condition> conditions, Map<String, String> provisioningClassDetails) {
  public ProvisioningRequestStatus {
    conditions = Lenient.list(conditions);
    provisioningClassDetails = Lenient.map(provisioningClassDetails);
  }

  /** The status of an object that no controller has touched yet. */
  public static ProvisioningRequestStatus empty() {
    return new ProvisioningRequestStatus(List.of(), Map.of());
  }

  /** A copy with another {@code conditions}. */
  public ProvisioningRequestStatus withConditions(List<Condition> conditions) {
    return new ProvisioningRequestStatus(conditions, provisioningClassDetails);
  }
}
