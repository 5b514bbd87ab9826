// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.models.V1PodSpec;
import org.junit.jupiter.api.Test;

class PodRequestsTest {

  @Test
  void containersAddUpAndALimitCountsWhereNoRequestIs() {
    assertThat(cpu("{'containers': [%s, %s]}".formatted(requests("500m"), limits("1"))))
        .isEqualTo("1500m");
  }

  @Test
  void theLargestInitContainerCountsIfItNeedsMoreThanTheRest() {
    assertThat(
            cpu(
                "{'initContainers': [%s, %s], 'containers': [%s]}"
                    .formatted(requests("3"), requests("2"), requests("1"))))
        .isEqualTo("3");
  }

  @Test
  void sidecarsCountBesideContainersThatStartAfterThem() {
    String sidecar =
        requests("1").replace("{'resources'", "{'restartPolicy': 'Always', 'resources'");
    assertThat(
            cpu(
                "{'initContainers': [%s, %s, %s], 'containers': [%s]}"
                    .formatted(requests("4"), sidecar, requests("5"), requests("2"))))
        .isEqualTo("6");
    assertThat(
            cpu("{'initContainers': [%s], 'containers': [%s]}".formatted(sidecar, requests("2"))))
        .isEqualTo("3");
  }

  @Test
  void requestsOfThePodOverrideAndOverheadComesOnTop() {
    assertThat(
            cpu(
                "{'resources': {'requests': {'cpu': '8'}}, 'overhead': {'cpu': '250m'},"
                    + " 'containers': [%s]}".formatted(requests("2"))))
        .isEqualTo("8250m");
  }

  @Test
  void withoutASpecThereAreNoRequests() {
    assertThat(PodRequests.of(null)).isEmpty();
  }

  private static String requests(String cpu) {
    return "{'resources': {'requests': {'cpu': '" + cpu + "'}}}";
  }

  private static String limits(String cpu) {
    return "{'resources': {'limits': {'cpu': '" + cpu + "'}}}";
  }

  private static String cpu(String json) {
    V1PodSpec spec = KueueJson.fromJson(json.replace('\'', '"'), V1PodSpec.class);
    return PodRequests.of(spec).getOrDefault("cpu", Quantity.ZERO).toString();
  }
}
