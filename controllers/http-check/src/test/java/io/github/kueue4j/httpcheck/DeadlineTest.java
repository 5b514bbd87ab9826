// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.Evaluation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An endpoint that never answers takes no longer than an evaluation may. */
class DeadlineTest {

  @Test
  void allSendingsTogetherEndBeforeTheEvaluation() {
    // On a busy machine a sending may end before it has connected.
    await().until(() -> connectionsOfAnEvaluation() == 2);
  }

  private static int connectionsOfAnEvaluation() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        HttpBackends backends =
            HttpBackends.of(
                SecretTexts.none(),
                AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")))) {
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
      return waiting(silent);
    }
  }

  /** How many connections were made that the test hasn't accepted: their clients have given up. */
  private static int waiting(ServerSocket listener) throws IOException {
    listener.setSoTimeout(1);
    for (int count = 0; ; count++) {
      try {
        listener.accept().close();
      } catch (SocketTimeoutException none) {
        return count;
      }
    }
  }
}
