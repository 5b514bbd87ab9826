// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a kubelet asks for when a process starts. */
class ProbeServerTest {
  private final ManualTime time = ManualTime.create();
  private final ProbeServer server =
      ProbeServer.on(new HttpAddress("127.0.0.1", 0), time, FatalErrors.endProcess());
  private final HttpClient client = HttpClient.newHttpClient();
  private final Actors kubelets = Actors.named("kubelet");
  private final AtomicInteger looks = new AtomicInteger();
  private volatile List<String> problems = List.of();
  private volatile List<String> unready = List.of("the cache is empty");

  ProbeServerTest() {
    server.liveness(
        "/healthz",
        () -> problems,
        () -> {
          looks.incrementAndGet();
          return unready;
        });
    server.start();
  }

  @AfterEach
  void close() {
    kubelets.close();
    client.close();
    server.close();
    time.close();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aLivenessProbeDoesNotWaitForReadiness() throws Exception {
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(get("/healthz?verbose").statusCode()).isEqualTo(200);
    assertThat(looks).hasValue(0);
  }

  @Test
  void aStartupProbeIsAnsweredWhenTheProcessIsReady() throws Exception {
    Act<HttpResponse<String>> probe = kubelets.ask(() -> get("/healthz?until-ready=9s"));
    await().until(() -> looks.get() > 2);
    assertThat(probe.hasEnded()).isFalse();

    unready = List.of();

    assertThat(probe.get().statusCode()).isEqualTo(200);
  }

  @Test
  void aProcessThatLivesButIsNotReadyIsNotKilled() throws Exception {
    assertThat(get("/healthz?until-ready=1s").statusCode()).isEqualTo(200);
    assertThat(looks).hasPositiveValue();
  }

  @Test
  void aProcessThatIsBrokenIsToldAtOnce() throws Exception {
    Act<HttpResponse<String>> probe = kubelets.ask(() -> get("/healthz?until-ready=9s"));
    await().until(() -> looks.get() > 1);

    problems = List.of("the scheduler's thread has died");

    HttpResponse<String> answer = probe.get();
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("the scheduler's thread has died\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"until-ready=10s", "until-ready=0s", "until-ready="})
  void aTimeThatCannotBeIsNamed(String query) throws Exception {
    HttpResponse<String> answer = get("/healthz?" + query);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("'" + query + "'", "1s to 9s");
  }

  @Test
  void aKubeletThatAsksBeforeAnythingIsThereWaits() throws Exception {
    try (ProbePort port = ProbePort.take(new HttpAddress("127.0.0.1", 0))) {
      int number = port.port();
      assertThat(number).isPositive();
      try (Socket kubelet = new Socket(InetAddress.getLoopbackAddress(), number)) {
        kubelet
            .getOutputStream()
            .write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        try (ProbeServer late = ProbeServer.on(port, time, FatalErrors.endProcess())) {
          late.probe("/healthz", List::of);
          late.start();

          assertThat(new String(kubelet.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
              .isEqualTo("HTTP/1.1 200");
        }
      }
    }
  }

  @Test
  void aPortThatIsNeverServedIsGivenBack() throws IOException {
    ProbePort port = ProbePort.take(new HttpAddress("127.0.0.1", 0));
    int number = port.port();

    port.close();

    try (ServerSocket again = new ServerSocket(number, 1, InetAddress.getLoopbackAddress())) {
      assertThat(again.getLocalPort()).isEqualTo(number);
    }
  }
}
