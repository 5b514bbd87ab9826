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

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The answer of the autoscaler.
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

  /** A copy with another {@code provisioningClassDetails}. */
  public ProvisioningRequestStatus withProvisioningClassDetails(
      Map<String, String> provisioningClassDetails) {
    return new ProvisioningRequestStatus(conditions, provisioningClassDetails);
  }
}
