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

  /** A copy with another {@code consumedResources}. */
  public AdmissionFairSharingStatus withConsumedResources(Map<String, Quantity> consumedResources) {
    return new AdmissionFairSharingStatus(consumedResources, lastUpdate);
  }

  /** A copy with another {@code lastUpdate}. */
  public AdmissionFairSharingStatus withLastUpdate(Instant lastUpdate) {
    return new AdmissionFairSharingStatus(consumedResources, lastUpdate);
  }
}
