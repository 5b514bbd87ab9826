// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.AnswerSender;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.MetricsText;
import io.github.kueue4j.runtime.http.RequestAuthorizer;
import io.github.kueue4j.runtime.http.RequestThreads;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves health endpoints, {@code /metrics} or both, over HTTP or HTTPS. */
final class ProbeServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProbeServer.class);

  /** The number of requests that are answered at once, for each server. */
  static final int MOST_REQUESTS = 16;

  /** The deadline of a request, in wire time: a kubelet gives up much earlier. */
  static final Duration DEADLINE = Duration.ofSeconds(10);

  /** The same where each request needs a handshake and two questions to the API server. */
  static final Duration SECURE_DEADLINE = Duration.ofSeconds(30);

  /** Less than the deadline of a request. */
  private static final Pattern UNTIL_READY = Pattern.compile("until-ready=([1-9])s");

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final RequestThreads threads;

  private ProbeServer(HttpServer server, RequestThreads threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * An HTTP server that has bound its port but doesn't answer yet.
   *
   * @throws io.github.kueue4j.runtime.http.HttpPortException if the port can't be bound
   */
  static ProbeServer on(HttpAddress address, TimeSource time, FatalErrors fatalErrors) {
    return on(ProbePort.take(address), time, fatalErrors);
  }

  /** The same on a port that was taken before. */
  static ProbeServer on(ProbePort port, TimeSource time, FatalErrors fatalErrors) {
    return on(port.serve(), new RequestThreads("http", MOST_REQUESTS, DEADLINE, time, fatalErrors));
  }

  /**
   * The same over HTTPS.
   *
   * @throws io.github.kueue4j.runtime.http.HttpPortException if the port can't be bound
   */
  static ProbeServer secure(
      HttpAddress address, HttpsConfigurator tls, TimeSource time, FatalErrors fatalErrors) {
    try {
      HttpsServer server = HttpsServer.create(address.socket(), 0);
      server.setHttpsConfigurator(tls);
      return on(
          server, new RequestThreads("https", MOST_REQUESTS, SECURE_DEADLINE, time, fatalErrors));
    } catch (IOException | UnresolvedAddressException e) {
      throw ProbePort.notBound(address, e);
    }
  }

  private static ProbeServer on(HttpServer server, RequestThreads threads) {
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, 404, TEXT, "not found\n"));
    return new ProbeServer(server, threads);
  }

  /** Answers 200 on this path, or 503 with the problems if there are any. */
  void probe(String path, Supplier<List<String>> problems) {
    server.createContext(
        path,
        exchange -> {
          // A context also receives longer paths with this prefix.
          if (exchange.getRequestURI().getPath().equals(path)) {
            probe(exchange, problems.get());
          } else {
            answer(exchange, 404, TEXT, "not found\n");
          }
        });
  }

  /**
   * As {@link #probe}, but asked with {@code until-ready=TIME} it waits with its answer until there
   * is no reason to be unready, for so many whole seconds at most. A kubelet that asks so at the
   * start sees no probe fail and learns at once that the process is ready.
   *
   * @param unready why it isn't ready; asked several times a second meanwhile
   */
  void liveness(String path, Supplier<List<String>> problems, Supplier<List<String>> unready) {
    server.createContext(
        path,
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          if (!exchange.getRequestURI().getPath().equals(path)) {
            answer(exchange, 404, TEXT, "not found\n");
          } else if (query == null || !query.startsWith("until-ready")) {
            probe(exchange, problems.get());
          } else {
            Matcher until = UNTIL_READY.matcher(query);
            if (until.matches()) {
              awaitReady(Duration.ofSeconds(Long.parseLong(until.group(1))), problems, unready);
              probe(exchange, problems.get());
            } else {
              answer(
                  exchange, 400, TEXT, "'" + query + "' can't be: until-ready is from 1s to 9s\n");
            }
          }
        });
  }

  private static void awaitReady(
      Duration longest, Supplier<List<String>> problems, Supplier<List<String>> unready) {
    long end = System.nanoTime() + longest.toNanos();
    while (problems.get().isEmpty() && !unready.get().isEmpty()) {
      if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /** Serves the meters on /metrics. */
  void metrics(MeterRegistry meters) {
    server.createContext("/metrics", exchange -> metrics(exchange, meters));
  }

  /** Serves the meters on /metrics to authorized users. */
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
    log.atInfo().addKeyValue("port", port()).log("Serving probes or metrics");
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
      answer(exchange, 200, METRICS, MetricsText.of(prometheus.get()));
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
    try (exchange) {
      AnswerSender.send(exchange, code, type, text);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
