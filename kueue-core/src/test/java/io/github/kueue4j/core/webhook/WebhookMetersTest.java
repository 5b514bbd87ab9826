// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many reviews there are and how long they take, by webhook. */
class WebhookMetersTest {
  private static final String IN_FLIGHT = "controller.runtime.webhook.requests.in.flight";

  private final ManualTime time = ManualTime.create();
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final ServedWebhooks webhooks =
      ServedWebhooks.start(time, FatalErrors.endProcess(), this::answer);

  WebhookMetersTest() throws Exception {}

  private JsonObject answer(JsonObject review) {
    if (review.has("waits")) {
      try {
        mayAnswer.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return new JsonObject();
  }

  @AfterEach
  void close() {
    mayAnswer.countDown();
    webhooks.close();
    time.close();
  }

  @Test
  void countsByCodeAndWebhookOnlyWhateverThePathIs() throws Exception {
    read(webhooks.post("{}"));
    read(webhooks.post("{"));
    read(webhooks.send("GET /review HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    for (int i = 0; i < 5; i++) {
      read(webhooks.send("POST /review/" + i + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }

    Map<String, Double> expected =
        Map.of("/review 200", 1.0, "/review 400", 1.0, "/review 404", 5.0, "/review 405", 1.0);
    await().untilAsserted(() -> assertThat(counts()).isEqualTo(expected));
    assertThat(
            webhooks
                .meters()
                .get("controller.runtime.webhook.latency")
                .tag("webhook", "/review")
                .timer()
                .count())
        .isEqualTo(8);
  }

  @Test
  void showsTheReviewsThatAreBeingAnswered() throws Exception {
    try (Socket client = webhooks.post("{\"waits\": true}")) {
      await().until(() -> inFlight() == 1);

      mayAnswer.countDown();

      read(client);
      await().until(() -> inFlight() == 0);
    }
  }

  private double inFlight() {
    return webhooks.meters().get(IN_FLIGHT).tag("webhook", "/review").gauge().value();
  }

  private Map<String, Double> counts() {
    Map<String, Double> counts = new TreeMap<>();
    for (Counter counter :
        webhooks.meters().find("controller.runtime.webhook.requests").counters()) {
      counts.put(tag(counter, "webhook") + ' ' + tag(counter, "code"), counter.count());
    }
    return counts;
  }

  private static @Nullable String tag(Counter counter, String key) {
    return counter.getId().getTag(key);
  }

  /** Waits for the beginning of the answer. */
  private static void read(Socket client) throws IOException {
    try (client) {
      assertThat(new String(client.getInputStream().readNBytes(9), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 ");
    }
  }
}
