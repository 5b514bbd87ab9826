// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replica that goes while an API server is connected to it. */
class DrainTest {
  private static final String REVIEW = ServedWebhooks.head("Content-Length: 2") + "{}";

  private final ManualTime time = ManualTime.create();
  private final ServedWebhooks webhooks =
      ServedWebhooks.start(time, FatalErrors.endProcess(), review -> new JsonObject());
  private final Actors replica = Actors.named("replica");

  DrainTest() throws Exception {}

  @AfterEach
  void close() {
    replica.close();
    webhooks.close();
    time.close();
  }

  @Test
  void clientsAreAnsweredAndToldToConnectAnew() throws Exception {
    try (Socket connected = webhooks.post("{}")) {
      assertThat(answer(connected)).doesNotContain("Connection: close");
      // The deadline of a request is taken back only after its answer has been sent.
      await().until(() -> time.pendingTimers() == 0);
      Act<Boolean> drain = replica.start(() -> webhooks.server().drain(Duration.ofSeconds(5)));
      await().until(() -> time.pendingTimers() == 1);

      connected.getOutputStream().write(REVIEW.getBytes(StandardCharsets.US_ASCII));

      assertThat(ServedWebhooks.rest(connected))
          .startsWith("HTTP/1.1 200 OK")
          .contains("Connection: close")
          .endsWith("{}");
      try (Socket another = webhooks.post("{}")) {
        assertThat(ServedWebhooks.rest(another)).contains("200 OK", "Connection: close");
      }
      assertThat(drain.hasEnded()).isFalse();

      time.advance(Duration.ofSeconds(5));

      drain.await();
    }
  }

  /** The head of an answer, and the two bytes of its body. */
  private static String answer(Socket client) throws Exception {
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      answer.append((char) client.getInputStream().read());
    }
    assertThat(client.getInputStream().readNBytes(2))
        .isEqualTo("{}".getBytes(StandardCharsets.US_ASCII));
    return answer.toString();
  }
}
