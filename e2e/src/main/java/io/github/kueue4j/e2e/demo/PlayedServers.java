// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The servers that the checks of the demo ask, on loopback: what Prometheus answers to a query, and
 * a licence server. A real Prometheus can't take part, since its clock is not the simulated one.
 */
final class PlayedServers implements AutoCloseable {
  /** What the examples say. */
  private static final String PROMETHEUS = "http://127.0.0.1:9090";

  private static final String LICENCES = "http://127.0.0.1:8089/";

  private final InstantSource time;
  private final Instant newWeek;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final Actors threads = Actors.named("played-server");
  private final HttpServer server;

  /**
   * Starts them.
   *
   * @param newWeek when what was spent begins at zero again
   */
  PlayedServers(InstantSource time, Instant newWeek) {
    this.time = time;
    this.newWeek = newWeek;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("no port of loopback is free", e);
    }
    server.setExecutor(threads);
    server.createContext("/api/v1/query", exchange -> answer(exchange, measured()));
    server.createContext("/licences", exchange -> answer(exchange, licence()));
    server.start();
  }

  /** The base of their URLs. */
  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The manifests with these servers in the place of those that they name. */
  String inPlaceOfThoseNamedIn(String manifests) {
    return manifests.replace(PROMETHEUS, address()).replace(LICENCES, address() + "/licences");
  }

  /** What Prometheus' API answers to a query with one value. */
  private String measured() {
    String euros = time.instant().isBefore(newWeek) ? "95" : "1";
    return """
        {"status": "success", "data": {"resultType": "vector",
          "result": [{"metric": {}, "value": [%d, "%s"]}]}}
        """
        .formatted(time.instant().getEpochSecond(), euros);
  }

  /** None is free when it is asked for the first time. */
  private String licence() {
    return asked.getAndSet(true)
        ? """
          {"verdict": "Ready", "message": "Licence 7 is free."}
          """
        : """
          {"verdict": "Retry", "reason": "NoLicence", "message": "All 10 licences are in use.",
           "retryAfterSeconds": 600}
          """;
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
