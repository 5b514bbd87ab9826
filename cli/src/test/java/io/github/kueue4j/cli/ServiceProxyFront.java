// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.AnyCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The API server's proxy of one Service, which the embedded API server doesn't have: as
 * kube-apiserver does, it wants a token, keeps the header Authorization for itself, and doesn't
 * verify the certificate behind it. All else goes to the embedded server.
 */
final class ServiceProxyFront implements AutoCloseable {
  private static final List<String> PASSED_ON =
      List.of("Accept", "Content-Type", "Kueue4j-Authorization", "Last-Event-ID");

  private final HttpServer server;
  private final Actors threads = Actors.named("service-proxy");
  private final HttpClient client;
  private final URI api;
  private final String token;
  private final String service;
  private final int port;

  /**
   * A front of this API server.
   *
   * @param service such as {@code https:kueue-view-service:https}, in kueue-system
   * @param port where it is served
   */
  ServiceProxyFront(URI api, String token, String service, int port) throws IOException {
    this.api = api;
    this.token = token;
    this.service = "/api/v1/namespaces/kueue-system/services/%s/proxy".formatted(service);
    this.port = port;
    client = HttpClient.newBuilder().sslContext(AnyCertificate.trusted()).build();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /**
   * A kubeconfig.
   *
   * @param credentials of its user, as YAML on one line
   */
  String kubeconfig(String credentials, String namespace) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
    users: [{name: u, user: %s}]
    contexts: [{name: x, context: {cluster: c, user: u, namespace: %s}}]
    current-context: x
    """
        .formatted(server.getAddress().getPort(), credentials, namespace);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String address = exchange.getRequestURI().toString();
      if (!address.startsWith(service)) {
        send(exchange, HttpRequest.newBuilder(api.resolve(address)));
      } else if (("Bearer " + token)
          .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        send(
            exchange,
            HttpRequest.newBuilder(
                URI.create("https://localhost:" + port + address.substring(service.length()))));
      } else {
        byte[] status =
            "{\"kind\": \"Status\", \"code\": 403, \"message\": \"no right\"}"
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(403, status.length);
        exchange.getResponseBody().write(status);
      }
    }
  }

  private void send(HttpExchange exchange, HttpRequest.Builder request) throws IOException {
    request.method(
        exchange.getRequestMethod(),
        HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : PASSED_ON) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      HttpResponse<InputStream> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        answer
            .headers()
            .map()
            .forEach(
                (name, values) -> {
                  if (!List.of("content-length", "transfer-encoding").contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                  }
                });
        exchange.sendResponseHeaders(answer.statusCode(), 0);
        byte[] buffer = new byte[4096];
        for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
          exchange.getResponseBody().write(buffer, 0, read);
          exchange.getResponseBody().flush();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    client.shutdownNow();
    client.close();
  }
}
