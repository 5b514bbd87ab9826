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
package io.github.kueue4j.runtime;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves health endpoints, {@code /metrics} or both, in plain HTTP unless told otherwise. */
final class ProbeServer implements AutoCloseable {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService executor;

  private ProbeServer(HttpServer server, ExecutorService executor) {
    this.server = server;
    this.executor = executor;
  }

  /**
   * A server that has its port but doesn't answer yet.
   *
   * @throws HttpPortException if the port can't be had
   */
  static ProbeServer on(HttpAddress address) {
    ExecutorService executor =
        Executors.newFixedThreadPool(
            2, Thread.ofPlatform().daemon().name("kueue4j-http-", 1).factory());
    return on(address, null, executor);
  }

  /**
   * The same over HTTPS.
   *
   * @throws HttpPortException if the port can't be had
   */
  static ProbeServer secure(HttpAddress address, HttpsConfigurator tls) {
    // A client may dawdle in its handshake, and the API server is asked about each: no such request
    // holds up another.
    return on(address, tls, Executors.newVirtualThreadPerTaskExecutor());
  }

  private static ProbeServer on(
      HttpAddress address, @Nullable HttpsConfigurator tls, ExecutorService executor) {
    HttpServer server;
    try {
      if (tls == null) {
        server = HttpServer.create(address.socket(), 0);
      } else {
        HttpsServer secure = HttpsServer.create(address.socket(), 0);
        secure.setHttpsConfigurator(tls);
        server = secure;
      }
    } catch (IOException | UnresolvedAddressException e) {
      executor.shutdownNow();
      throw new HttpPortException(
          "can't serve probes and metrics on "
              + (address.host().isEmpty() ? "port " + address.port() : address)
              + " ("
              + HttpApi.describe(e)
              + "): choose another port, or 0 for any",
          e);
    }
    server.setExecutor(executor);
    server.createContext("/", exchange -> answer(exchange, 404, TEXT, "not found\n"));
    return new ProbeServer(server, executor);
  }

  /** Answers 200 on this path, or 503 with the problems. */
  void probe(String path, Supplier<List<String>> problems) {
    server.createContext(
        path,
        exchange -> {
          // A context also gets the paths that only begin like it.
          if (exchange.getRequestURI().getPath().equals(path)) {
            probe(exchange, problems.get());
          } else {
            answer(exchange, 404, TEXT, "not found\n");
          }
        });
  }

  /** Answers the meters on /metrics. */
  void metrics(MeterRegistry meters) {
    server.createContext("/metrics", exchange -> metrics(exchange, meters));
  }

  /** Answers the meters on /metrics to those who may read them. */
  void metrics(MeterRegistry meters, RequestAuthorizer authorizer) {
    server.createContext(
        "/metrics",
        exchange -> {
          String authorization = exchange.getRequestHeaders().getFirst("Authorization");
          RequestAuthorizer.Decision decision =
              authorizer.decide(
                  authorization == null ? "" : authorization,
                  exchange.getRequestMethod().toLowerCase(Locale.ROOT),
                  exchange.getRequestURI().getPath());
          switch (decision) {
            case RequestAuthorizer.Decision.Allowed allowed -> metrics(exchange, meters);
            case RequestAuthorizer.Decision.Unauthenticated unknown ->
                answer(exchange, 401, TEXT, unknown.why() + "\n");
            case RequestAuthorizer.Decision.Denied denied ->
                answer(exchange, 403, TEXT, denied.why() + "\n");
            case RequestAuthorizer.Decision.Undecided undecided ->
                answer(exchange, 503, TEXT, undecided.why() + "\n");
          }
        });
  }

  void start() {
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void probe(HttpExchange exchange, List<String> problems) throws IOException {
    if (problems.isEmpty()) {
      answer(exchange, 200, TEXT, "ok\n");
    } else {
      answer(exchange, 503, TEXT, String.join("\n", problems) + "\n");
    }
  }

  private static void metrics(HttpExchange exchange, MeterRegistry meters) throws IOException {
    Optional<PrometheusMeterRegistry> prometheus = prometheus(meters);
    if (prometheus.isPresent()) {
      answer(exchange, 200, METRICS, prometheus.get().scrape());
    } else {
      answer(exchange, 404, TEXT, "no Prometheus registry is configured\n");
    }
  }

  private static Optional<PrometheusMeterRegistry> prometheus(MeterRegistry meters) {
    return switch (meters) {
      case PrometheusMeterRegistry found -> Optional.of(found);
      case CompositeMeterRegistry composite ->
          composite.getRegistries().stream()
              .flatMap(registry -> prometheus(registry).stream())
              .findFirst();
      default -> Optional.empty();
    };
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(code, head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
