// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that tells what was spent, and answers what a test wants. */
public final class FakeService implements AutoCloseable {
  private record Reply(int status, String contentType, String body) {}

  private final Actors threads = Actors.named("service");
  private final HttpServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Reply reply = new Reply(503, "text/plain", "");

  private FakeService() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("no port of loopback is free", e);
    }
    server.setExecutor(threads);
    server.createContext("/spent", this::answer);
    server.start();
  }

  /** Starts one that can't answer yet. */
  public static FakeService start() {
    return new FakeService();
  }

  /** Its URL. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/spent");
  }

  /** Answers each request with this document. */
  public void json(String document) {
    answers(200, "application/json", document);
  }

  /** Answers each request with this. */
  public void answers(int status, String contentType, String body) {
    reply = new Reply(status, contentType, body);
  }

  /** The documents that were sent so far. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      Reply now = reply;
      exchange.getResponseHeaders().set("Content-Type", now.contentType());
      byte[] bytes = now.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(now.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
