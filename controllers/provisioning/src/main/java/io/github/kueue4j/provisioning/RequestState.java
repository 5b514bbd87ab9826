// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.sdk.objects.Watched;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Locale;

/** The state of a request, as the autoscaler has said; the first that holds counts. */
enum RequestState {
  FAILED("Failed"),
  CAPACITY_REVOKED("CapacityRevoked"),
  BOOKING_EXPIRED("BookingExpired"),
  PROVISIONED("Provisioned"),
  ACCEPTED("Accepted"),
  /** Nothing yet. */
  WAITING("");

  private final String condition;

  RequestState(String condition) {
    this.condition = condition;
  }

  static RequestState of(ProvisioningRequest request) {
    return Arrays.stream(values())
        .filter(state -> Conditions.isTrue(request.status().conditions(), state.condition))
        .findFirst()
        .orElse(WAITING);
  }

  /** Gauges of the requests of Workloads, one for each state. */
  static void measure(Watched<ProvisioningRequest> requests, MeterRegistry registry) {
    for (RequestState state : values()) {
      Gauge.builder("kueue4j.provisioning.requests", requests, all -> state.count(all))
          .description("ProvisioningRequests of Workloads by what the autoscaler has said")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }

  private long count(Watched<ProvisioningRequest> requests) {
    return requests.list().stream()
        .filter(request -> Ownership.workload(request).isPresent())
        .filter(request -> of(request) == this)
        .count();
  }
}
