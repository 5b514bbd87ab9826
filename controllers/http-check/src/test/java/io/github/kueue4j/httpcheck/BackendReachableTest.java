// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.httpcheck.FakeEndpoint.Reply;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an HttpCheck says of its endpoint. */
@KueueTest
@PossibleLog(
    logger = "Evaluator",
    message = "Evaluation failed",
    because = "with failurePolicy Ignore none does")
class BackendReachableTest {
  private static final Reply READY = Reply.status(200);
  private static final Reply AWAY = new Reply(503, Map.of(), "secret page");

  private final FakeEndpoint endpoint = new FakeEndpoint();

  BackendReachableTest() throws IOException {}

  @AfterEach
  void close() {
    endpoint.close();
  }

  @Test
  void anEndpointThatGoesAndComesBack(KueueCluster cluster) {
    endpoint.answers(READY);
    new Gate(cluster, endpoint).start();
    cluster.workload("first").reserve().awaitState("gate", CheckState.READY);
    await().until(() -> reachable(cluster).path("status").asText().equals("True"));
    assertThat(reachable(cluster).path("reason").asText()).isEqualTo("Answered");

    endpoint.answers(AWAY);
    PlayedWorkload second = cluster.workload("second").reserve();
    second.await("told", one -> second.entry("gate").message().contains("503"));
    cluster.advanceUntil(
        Duration.ofSeconds(10),
        "the HttpCheck says that its endpoint is away",
        () -> reachable(cluster).path("status").asText().equals("False"));
    assertThat(reachable(cluster).path("message").asText())
        .startsWith(endpoint.url() + " answered 503 (Service Unavailable), since ")
        .doesNotContain("secret");
    assertThat(second.entry("gate").message()).contains("503").doesNotContain("Exception");

    endpoint.answers(READY);
    cluster.workload("third").reserve();
    cluster.advanceUntil(
        Duration.ofSeconds(10),
        "the HttpCheck says that its endpoint answers",
        () -> reachable(cluster).path("status").asText().equals("True"));
  }

  /** A verdict that is given without an answer doesn't hide that there was none. */
  @Test
  void anEndpointWhoseFailuresAreIgnored(KueueCluster cluster) {
    endpoint.answers(AWAY);
    new Gate(cluster, endpoint).start("failurePolicy: Ignore");

    cluster.workload("job").reserve().awaitState("gate", CheckState.READY);

    await().until(() -> reachable(cluster).path("status").asText().equals("False"));
    assertThat(reachable(cluster).path("reason").asText()).isEqualTo("Unreachable");
  }

  private static JsonNode reachable(KueueCluster cluster) {
    try (JsonApi api = JsonApi.at(cluster.uri())) {
      JsonNode object = api.get(HttpCheck.TYPE.path(ObjectKey.cluster("gate"))).orElseThrow();
      for (JsonNode condition : object.at("/status/conditions")) {
        if (condition.path("type").asText().equals("BackendReachable")) {
          return condition;
        }
      }
      return object.path("nothing");
    }
  }
}
