// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestStatus;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestStateTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private final FakeObjects<ProvisioningRequest> requests = new FakeObjects<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void theRequestsOfWorkloadsAreCountedByTheirState() {
    requests.put(request("a"));
    requests.put(request("b", "Accepted"));
    requests.put(request("c", "Accepted", "Provisioned"));
    requests.put(request("d", "Accepted", "Provisioned", "BookingExpired"));
    requests.put(request("e", "Provisioned", "CapacityRevoked", "BookingExpired"));
    requests.put(request("f", "Accepted", "Failed"));
    requests.put(request("g", "Accepted", "Failed"));
    ProvisioningRequest byHand = request("h");
    byHand.metadata().setOwnerReferences(null);
    requests.put(byHand);

    RequestState.measure(requests, meters);

    assertThat(count("waiting")).isEqualTo(1);
    assertThat(count("accepted")).isEqualTo(1);
    assertThat(count("provisioned")).isEqualTo(1);
    assertThat(count("booking_expired")).isEqualTo(1);
    assertThat(count("capacity_revoked")).isEqualTo(1);
    assertThat(count("failed")).isEqualTo(2);
  }

  private double count(String state) {
    return meters.get("kueue4j.provisioning.requests").tag("state", state).gauge().value();
  }

  private static ProvisioningRequest request(String name, String... conditions) {
    ProvisioningRequest request =
        ProvisioningRequest.named("team-a", name)
            .withStatus(
                new ProvisioningRequestStatus(
                    Stream.of(conditions)
                        .map(type -> Condition.isTrue(type, type, "", NOW))
                        .toList(),
                    Map.of()));
    request
        .metadata()
        .setOwnerReferences(List.of(new V1OwnerReference().kind("Workload").name("w")));
    return request;
  }
}
