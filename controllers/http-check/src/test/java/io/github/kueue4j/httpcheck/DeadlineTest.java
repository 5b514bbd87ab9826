// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An endpoint that never answers takes no longer than an evaluation may. */
class DeadlineTest {

  @Test
  void allSendingsTogetherEndBeforeTheEvaluation() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        HttpBackends backends =
            HttpBackends.of(
                SecretTexts.none(),
                AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")));
        Actors threads = Actors.named("silent-endpoint")) {
      threads.start(() -> accept(silent, connections, threads));
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      Evaluation<HttpCheckSpec> asked =
          Asked.about(1, HttpCheckSpec.of(HttpEndpoint.of(uri).withTimeout(Duration.ofMinutes(5))));
      Evaluation<HttpCheckSpec> brief =
          new Evaluation<>(
              asked.check(),
              asked.workload(),
              asked.podSets(),
              asked.entry(),
              asked.parameters(),
              asked.now(),
              asked.now().plusSeconds(2));

      assertThatThrownBy(() -> Asked.check(backends).evaluate(brief))
          .hasCauseInstanceOf(EndpointUnavailableException.class)
          .hasMessageContaining("did not answer within 0.9s");
      // Counted by another thread, which may be late.
      await().untilAsserted(() -> assertThat(connections).hasValue(2));
    }
  }

  private static void accept(ServerSocket listener, AtomicInteger connections, Actors threads) {
    while (true) {
      try {
        Socket connection = listener.accept();
        connections.incrementAndGet();
        threads.start(() -> hold(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  /** Reads until the client gives up. */
  private static void hold(Socket connection) {
    try (connection) {
      connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // The client has given up.
      return;
    }
  }
}
