// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/**
 * A time with an offset is written by the library as if it were UTC. The build runs this class a
 * second time with Asia/Tokyo as the default zone.
 */
class ShiftedTimesTest {

  private static final OffsetDateTime NOON_IN_SHANGHAI =
      OffsetDateTime.parse("2026-01-01T12:00:00+08:00");

  @Test
  void theLibraryDropsTheOffset() {
    assertThat(JSON.serialize(NOON_IN_SHANGHAI)).isEqualTo("\"2026-01-01T12:00:00.000000Z\"");
  }

  @Test
  void oursKeepsTheInstant() {
    assertThat(KueueJson.toJson(NOON_IN_SHANGHAI)).isEqualTo("\"2026-01-01T04:00:00Z\"");
    assertThat(KueueJson.toJson(new V1LeaseSpec().renewTime(NOON_IN_SHANGHAI)))
        .contains("\"renewTime\":\"2026-01-01T04:00:00.000000Z\"");
  }

  @Test
  void oursReadsAndWritesTheSameInstantThroughTheServer() {
    String lease =
        """
        {"metadata":{"namespace":"n","name":"l","resourceVersion":"1"},
         "spec":{"holderIdentity":"a","renewTime":"2026-01-01T12:00:00.000000+08:00"}}
        """;
    try (var server = new ScriptedServer((request, answer) -> answer.json(200, lease));
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      V1Lease read = connection.api().get(CoreTypes.LEASE, new ObjectKey("n", "l")).orElseThrow();
      assertThat(read.getSpec().getRenewTime().toInstant())
          .as("in zone %s", ZoneId.systemDefault())
          .isEqualTo(Instant.parse("2026-01-01T04:00:00Z"));

      var after =
          new V1Lease()
              .metadata(new V1ObjectMeta().namespace("n").name("l"))
              .spec(new V1LeaseSpec().holderIdentity("a").renewTime(NOON_IN_SHANGHAI.plusHours(1)));
      connection.api().patch(CoreTypes.LEASE, GuardedPatch.between(read, after));
      assertThat(server.received().getLast().body())
          .contains("\"/spec/renewTime\",\"value\":\"2026-01-01T05:00:00.000000Z\"");
    }
  }
}
