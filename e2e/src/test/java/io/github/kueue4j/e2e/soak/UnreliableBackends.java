// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.FakePrometheus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the HTTP check and the Prometheus check ask: a licence server and a Prometheus that fail in
 * many ways until they are repaired.
 */
final class UnreliableBackends implements AutoCloseable {
  private static final Duration SLOW = Duration.ofMillis(300);

  private final Random random;
  private final HttpServer licenses;
  private final Actors threads = Actors.named("licence-server");
  private final FakePrometheus prometheus = FakePrometheus.start();
  private final AtomicInteger faults = new AtomicInteger();
  private volatile boolean repaired;

  UnreliableBackends(long seed) {
    random = new Random(seed);
    try {
      licenses = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    licenses.setExecutor(threads);
    licenses.createContext("/", this::license);
    licenses.start();
    prometheus.behaves(this::query);
  }

  URI licenses() {
    return URI.create("http://127.0.0.1:" + licenses.getAddress().getPort() + "/");
  }

  URI prometheus() {
    return prometheus.uri();
  }

  /** From now on both answer as they should. */
  void repair() {
    repaired = true;
  }

  /** How often one of them did not answer as it should. */
  int faults() {
    return faults.get();
  }

  private void license(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (repaired) {
      send(exchange, 200, "{\"verdict\": \"Ready\", \"message\": \"a seat is free\"}");
      return;
    }
    switch (drawn(12)) {
      case 0 -> fault(exchange, 500, "out of order");
      case 1 -> fault(exchange, 200, "{\"verdict\": ");
      case 2 -> fault(exchange, 200, "{\"verdict\": \"Perhaps\"}");
      case 3 -> {
        faults.incrementAndGet();
        // Closes the connection. The server would keep one that is closed by exchange.close().
        throw new IOException("no answer");
      }
      case 4 -> threads.after(SLOW, () -> busy(exchange));
      case 5, 6 ->
          send(
              exchange,
              200,
              "{\"verdict\": \"Retry\", \"reason\": \"NoSeat\", \"message\": \"no seat\","
                  + " \"retryAfterSeconds\": 5}");
      case 7 -> send(exchange, 202, "");
      default -> send(exchange, 204, "");
    }
  }

  private void query(HttpExchange exchange) throws IOException {
    if (repaired) {
      FakePrometheus.send(exchange, 200, FakePrometheus.vector("0.1"));
      return;
    }
    switch (drawn(8)) {
      case 0 -> {
        faults.incrementAndGet();
        FakePrometheus.send(exchange, 503, "{\"status\": \"error\"}");
      }
      case 1 -> {
        faults.incrementAndGet();
        FakePrometheus.send(exchange, 200, "not JSON");
      }
      case 2 -> {
        faults.incrementAndGet();
        FakePrometheus.send(exchange, 200, FakePrometheus.vector());
      }
      case 3 -> FakePrometheus.send(exchange, 200, FakePrometheus.vector("0.9"));
      default -> FakePrometheus.send(exchange, 200, FakePrometheus.vector("0.2"));
    }
  }

  private int drawn(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  private void fault(HttpExchange exchange, int status, String body) throws IOException {
    faults.incrementAndGet();
    send(exchange, status, body);
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private void busy(HttpExchange exchange) {
    try {
      fault(exchange, 503, "");
    } catch (IOException gone) {
      // The check has given up waiting.
      exchange.close();
    }
  }

  @Override
  public void close() {
    licenses.stop(0);
    threads.close();
    prometheus.close();
  }
}
