// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An endpoint on loopback that answers what a test wants. */
final class FakeEndpoint implements AutoCloseable {

  /** An answer. */
  record Reply(int status, Map<String, String> headers, String body) {
    static Reply status(int status) {
      return new Reply(status, Map.of(), "");
    }

    static Reply json(String body) {
      return new Reply(200, Map.of("Content-Type", "application/json"), body);
    }

    Reply with(String header, String value) {
      return new Reply(status, Map.of(header, value), body);
    }
  }

  /** A request. */
  record Seen(
      String method, String path, String query, Map<String, List<String>> headers, String body) {
    JsonObject json() {
      return JsonParser.parseString(body).getAsJsonObject();
    }
  }

  private final HttpServer server;
  private final Actors threads = Actors.named("endpoint");
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile Function<Map<String, List<String>>, Reply> reply = headers -> Reply.status(200);
  private volatile Reply health = Reply.status(200);

  FakeEndpoint() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/check", exchange -> answer(exchange, true));
    server.createContext("/healthz", exchange -> answer(exchange, false));
    server.start();
  }

  void answers(Reply other) {
    reply = headers -> other;
  }

  /** Answers what depends on the headers of the request. */
  void answersBy(Function<Map<String, List<String>>, Reply> other) {
    reply = other;
  }

  void healthIs(Reply other) {
    health = other;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/check";
  }

  /** The requests of evaluations so far. */
  List<Seen> seen() {
    return List.copyOf(seen);
  }

  /** Those of the evaluations of this Workload. */
  List<Seen> seenAbout(String workload) {
    return seen.stream()
        .filter(
            request ->
                request
                    .json()
                    .getAsJsonObject("workload")
                    .get("name")
                    .getAsString()
                    .equals(workload))
        .toList();
  }

  private void answer(HttpExchange exchange, boolean evaluation) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (evaluation) {
        String query = exchange.getRequestURI().getRawQuery();
        seen.add(
            new Seen(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                query == null ? "" : query,
                Map.copyOf(exchange.getRequestHeaders()),
                body));
      }
      Reply now = evaluation ? reply.apply(exchange.getRequestHeaders()) : health;
      now.headers().forEach(exchange.getResponseHeaders()::set);
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
