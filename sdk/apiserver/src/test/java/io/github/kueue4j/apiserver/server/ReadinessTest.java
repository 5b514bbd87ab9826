// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client that finds the server ready finds its initial objects, too. */
class ReadinessTest {
  private static final String WAREHOUSES = "/apis/shop.example.com/v1/warehouses";

  @Test
  void theFirstAnswerKnowsTheInitialDefinitions() throws Exception {
    int port = FreePort.take();
    CountDownLatch asking = new CountDownLatch(1);
    try (Actors clients = Actors.named("client")) {
      Act<Integer> firstAnswer = clients.ask(() -> firstAnswer(port, asking));
      assertThat(asking.await(60, TimeUnit.SECONDS)).isTrue();
      try (EmbeddedApiServer server =
          EmbeddedApiServer.builder().port(port).objects(List.of(Shop.definitions())).start()) {
        assertThat(firstAnswer.get()).isEqualTo(200);
        assertThat(server.port()).isEqualTo(port);
      }
    }
  }

  @Test
  void whileItIsHeldBackOnlyPartsOfTheClusterAreServed() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().heldBack().start()) {
      for (String path : List.of("/readyz", "/api/v1/namespaces")) {
        HttpResponse<Void> answer = get(server.uri().resolve(path));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(get(server.innerUri().resolve(path)).statusCode()).isEqualTo(200);
      }

      server.open();

      assertThat(get(server.uri().resolve("/readyz")).statusCode()).isEqualTo(200);
      assertThat(get(server.innerUri().resolve("/readyz")).statusCode()).isEqualTo(200);
    }
  }

  private static HttpResponse<Void> get(URI address) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding());
    }
  }

  @Test
  void aRefusedInitialObjectIsNamedAndLeavesThePortFree() throws Exception {
    int port = FreePort.take();
    EmbeddedApiServer.Builder builder =
        EmbeddedApiServer.builder()
            .port(port)
            .objects(List.of("{apiVersion: v1, kind: ConfigMap, metadata: {name: Upper}}"));

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot apply ConfigMap /Upper")
        .hasMessageContaining("lowercase RFC 1123 subdomain");

    try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(again.isBound()).isTrue();
    }
  }

  /** Asks for the warehouses, from before the port opens until there is an answer; its status. */
  private static int firstAnswer(int port, CountDownLatch asking) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + WAREHOUSES))
            .timeout(Duration.ofSeconds(10))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (true) {
        try {
          return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException notListening) {
          asking.countDown();
        }
      }
    }
  }
}
