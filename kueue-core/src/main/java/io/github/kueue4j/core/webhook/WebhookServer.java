// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.AnswerSender;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.runtime.http.RequestThreads;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An HTTPS server for the reviews that the API server posts. */
final class WebhookServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);

  /** The number of reviews that are answered at once. */
  static final int MOST_REQUESTS = 64;

  /** The deadline of one review, in wire time: an API server waits 30 s at the most. */
  static final Duration DEADLINE = Duration.ofSeconds(30);

  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  private final HttpsServer server;
  private final RequestThreads threads;
  private final TimeSource time;
  private final WebhookMeters meters;
  private final ReviewBudget budget = ReviewBudget.ofThisProcess();
  private final DeepReviews deepReviews = new DeepReviews();

  /** Whether each answer is the last one of its connection. */
  private volatile boolean draining;

  private WebhookServer(
      HttpsServer server, RequestThreads threads, TimeSource time, WebhookMeters meters) {
    this.server = server;
    this.threads = threads;
    this.time = time;
    this.meters = meters;
  }

  /**
   * A server that has bound its port but doesn't answer yet.
   *
   * @throws HttpPortException if the port can't be bound
   */
  static WebhookServer on(
      HttpAddress address,
      HttpsConfigurator tls,
      TimeSource time,
      FatalErrors fatalErrors,
      WebhookMeters meters) {
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
    WebhookServer webhooks =
        new WebhookServer(
            server,
            new RequestThreads("webhooks", MOST_REQUESTS, DEADLINE, time, fatalErrors),
            time,
            meters);
    server.setExecutor(webhooks.threads);
    server.createContext("/", exchange -> answer(exchange, 404, TEXT, "not found\n"));
    return webhooks;
  }

  /** Registers the reviewer for a path. */
  void route(String path, UnaryOperator<JsonObject> reviewer) {
    server.createContext(
        path,
        meters.measured(
            path,
            exchange -> {
              // A context also receives longer paths with this prefix.
              if (!exchange.getRequestURI().getPath().equals(path)) {
                answer(exchange, 404, TEXT, "not found\n");
              } else if (!exchange.getRequestMethod().equals("POST")) {
                answer(exchange, 405, TEXT, "post a review\n");
              } else {
                review(exchange, reviewer);
              }
            }));
  }

  void start() {
    server.start();
  }

  ReviewBudget budget() {
    return budget;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void review(HttpExchange exchange, UnaryOperator<JsonObject> reviewer)
      throws IOException {
    try (ReviewBudget.Share share = budget.share()) {
      review(exchange, share, reviewer);
    } catch (ReviewBudget.TooLargeException e) {
      refuse(exchange, 413, e);
    } catch (ReviewBudget.ExhaustedException e) {
      refuse(exchange, 503, e);
    }
  }

  /** Answers a request whose body isn't read to its end: the connection can't be used again. */
  private static void refuse(HttpExchange exchange, int code, Exception why) throws IOException {
    log.atWarn()
        .addKeyValue("path", exchange.getRequestURI())
        .addKeyValue("client", exchange.getRemoteAddress())
        .addKeyValue("cause", why.getMessage())
        .log("Refused a review");
    exchange.getResponseHeaders().set("Connection", "close");
    answer(exchange, code, TEXT, why.getMessage() + "\n");
  }

  private void review(
      HttpExchange exchange, ReviewBudget.Share share, UnaryOperator<JsonObject> reviewer)
      throws IOException, ReviewBudget.TooLargeException, ReviewBudget.ExhaustedException {
    byte[] body =
        share.read(
            exchange.getRequestBody(), exchange.getRequestHeaders().getFirst("Content-Length"));
    int depth = DeepReviews.depth(body);
    if (depth > DeepReviews.DEEPEST) {
      answer(exchange, 400, TEXT, "not a review: it is nested " + depth + " deep\n");
      return;
    }
    if (draining) {
      exchange.getResponseHeaders().set("Connection", "close");
    }
    Answer answer =
        deepReviews.answer(depth, () -> answer(body, depth, reviewer, exchange.getRequestURI()));
    answer(exchange, answer.code(), answer.type(), answer.text());
  }

  /** The answer that is sent back. */
  private record Answer(int code, String type, String text) {
    static Answer text(int code, String line) {
      return new Answer(code, TEXT, line + "\n");
    }
  }

  private static Answer answer(
      byte[] body, int depth, UnaryOperator<JsonObject> reviewer, URI path) {
    JsonElement review;
    try {
      review = parsed(new String(body, StandardCharsets.UTF_8), depth);
    } catch (JsonParseException | IOException e) {
      return Answer.text(400, "not a review in JSON: " + e.getMessage());
    }
    if (!(review instanceof JsonObject object)) {
      return Answer.text(400, "not a review: it has to be a JSON object");
    }
    try {
      return new Answer(200, JSON, reviewer.apply(object).toString());
    } catch (InvalidReviewException e) {
      return Answer.text(400, "not a review: " + e.getMessage());
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("path", path).log("Review failed");
      return Answer.text(500, "the review failed: " + e);
    }
  }

  /** One JSON document, nested no deeper than the thread's stack is made for. */
  private static JsonElement parsed(String json, int depth) throws IOException {
    JsonReader tokens = KueueJson.tokens(new StringReader(json));
    tokens.setNestingLimit(Math.max(depth, DeepReviews.SHALLOW));
    JsonElement document = JsonParser.parseReader(tokens);
    if (tokens.peek() != JsonToken.END_DOCUMENT) {
      throw new JsonParseException("there is more after the end of the JSON document");
    }
    return document;
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    try (exchange) {
      AnswerSender.send(exchange, code, type, text);
    }
  }

  /**
   * Goes on answering for some time while clients learn that this server goes: those that connect
   * still reach it until every node has heard so, and those that are connected are told to connect
   * anew, since a connection that ends while a client sends its next review fails that review.
   *
   * @param length in wire time
   * @throws InterruptedException if the thread is interrupted
   */
  void drain(Duration length) throws InterruptedException {
    draining = true;
    CountDownLatch over = new CountDownLatch(1);
    Cancellable timer = time.at(time.instant().plus(length), over::countDown);
    try {
      over.await();
    } finally {
      timer.cancel();
    }
  }

  /** Stops the server after it has answered the reviews in progress. */
  @Override
  public void close() {
    threads.close(GRACE);
    server.stop(0);
  }
}
