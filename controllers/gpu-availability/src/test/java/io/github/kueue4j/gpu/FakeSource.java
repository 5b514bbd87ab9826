// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A capacity source that answers what it is told to, on loopback. */
final class FakeSource implements AutoCloseable {

  static final Duration INTERVAL = Duration.ofSeconds(10);

  private record Reply(int status, Map<String, String> headers, String body) {}

  private final HttpServer server;
  private final Actors threads = Actors.named("capacity-source");
  private final AtomicInteger requests = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Reply reply = new Reply(200, Map.of(), "{\"nodes\": []}");
  private volatile boolean hanging;

  FakeSource() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/stock", this::answer);
    server.start();
  }

  /** From now on it offers so many nodes of the flavor a100, with so many GPUs each. */
  void offers(int nodes, int gpus) {
    offers("a100", nodes, gpus);
  }

  void offers(String flavor, int nodes, int gpus) {
    answers(
        200,
        "{\"nodes\": [{\"flavor\": \"%s\", \"count\": %d, \"allocatable\": {\"nvidia.com/gpu\": %d}}]}"
            .formatted(flavor, nodes, gpus));
  }

  void answers(int status, String body) {
    reply = new Reply(status, Map.of(), body);
  }

  void answers(int status, String header, String value) {
    reply = new Reply(status, Map.of(header, value), "");
  }

  /** From now on it takes requests and never answers. */
  void hangs() {
    hanging = true;
  }

  int requests() {
    return requests.get();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/stock";
  }

  /** Asked about the flavor a100. */
  CapacitySource source() {
    return new CapacitySource(
        HttpEndpoint.of(URI.create(url())),
        Set.of("a100"),
        Optional.of(INTERVAL),
        Optional.empty());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.incrementAndGet();
      if (hanging) {
        closed.await();
      }
      Reply now = reply;
      now.headers.forEach(exchange.getResponseHeaders()::set);
      byte[] bytes = now.body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(now.status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.close();
  }
}
