/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.webhook;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.runtime.HttpAddress;
import io.github.kueue4j.runtime.HttpPortException;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the reviews that the API server posts. */
final class WebhookServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);

  /**
   * An object and its former version, 3 MiB at most each, in the server's JSON; lists have pages.
   */
  private static final int LONGEST_REVIEW = 64 << 20;

  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  private final HttpsServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  private WebhookServer(HttpsServer server) {
    this.server = server;
  }

  /**
   * A server that has its port but doesn't answer yet.
   *
   * @throws HttpPortException if the port can't be had
   */
  static WebhookServer on(HttpAddress address, HttpsConfigurator tls) {
    HttpsServer server;
    try {
      server = HttpsServer.create(address.socket(), 0);
    } catch (IOException | UnresolvedAddressException e) {
      throw new HttpPortException(
          "can't serve webhooks on port "
              + address.port()
              + " ("
              + e.getMessage()
              + "): choose another webhook.port, or 0 for any",
          e);
    }
    server.setHttpsConfigurator(tls);
    WebhookServer webhooks = new WebhookServer(server);
    server.setExecutor(webhooks.executor);
    server.createContext("/", exchange -> answer(exchange, 404, TEXT, "not found\n"));
    return webhooks;
  }

  /** Answers reviews posted to this path. */
  void route(String path, UnaryOperator<JsonObject> reviewer) {
    server.createContext(
        path,
        exchange -> {
          // A context also gets the paths that only begin like it.
          if (!exchange.getRequestURI().getPath().equals(path)) {
            answer(exchange, 404, TEXT, "not found\n");
          } else if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 405, TEXT, "post a review\n");
          } else {
            review(exchange, reviewer);
          }
        });
  }

  void start() {
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void review(HttpExchange exchange, UnaryOperator<JsonObject> reviewer)
      throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST_REVIEW + 1);
    if (body.length > LONGEST_REVIEW) {
      answer(exchange, 413, TEXT, "reviews are at most " + LONGEST_REVIEW + " bytes long\n");
      return;
    }
    JsonElement review;
    try {
      review = JsonParser.parseString(new String(body, StandardCharsets.UTF_8));
    } catch (JsonParseException e) {
      answer(exchange, 400, TEXT, "not a review in JSON: " + e.getMessage() + "\n");
      return;
    }
    if (!(review instanceof JsonObject object)) {
      answer(exchange, 400, TEXT, "not a review: it has to be a JSON object\n");
      return;
    }
    JsonObject answer;
    try {
      answer = reviewer.apply(object);
    } catch (InvalidReviewException e) {
      answer(exchange, 400, TEXT, "not a review: " + e.getMessage() + "\n");
      return;
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("path", exchange.getRequestURI()).log("Review failed");
      answer(exchange, 500, TEXT, "the review failed: " + e + "\n");
      return;
    }
    answer(exchange, 200, JSON, answer.toString());
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Lets reviews that are under way be answered. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
    server.stop(0);
  }
}
