// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.apiserver.http.ServerCertificate;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS server that answers reviews, one behaviour for each path. */
final class TestWebhook implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpsServer server;
  private final ServerCertificate certificate;
  private final Actors threads = Actors.named("webhook");
  private final Map<String, Function<ObjectNode, JsonNode>> behaviours = new ConcurrentHashMap<>();
  private final List<ObjectNode> requests = new CopyOnWriteArrayList<>();

  TestWebhook(String... names) throws Exception {
    certificate = ServerCertificate.generate(new Random(1), names);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(certificate.keyStore(), ServerCertificate.password().toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String caBundle() {
    return Base64.getEncoder()
        .encodeToString(certificate.pem().getBytes(StandardCharsets.US_ASCII));
  }

  /** {@code clientConfig} by URL, as YAML. */
  String at(String path) {
    return "{url: 'https://127.0.0.1:" + port() + path + "', caBundle: " + caBundle() + "}";
  }

  /**
   * Answers reviews of {@code request} with the whole body that this returns; a missing node closes
   * the connection without an answer.
   */
  void on(String path, Function<ObjectNode, JsonNode> behaviour) {
    behaviours.put(path, behaviour);
  }

  /** Answers with an AdmissionReview; {@code response} is JSON with single quotes. */
  void admits(String path, Function<JsonNode, String> response) {
    on(
        path,
        review -> {
          ObjectNode answer = JSON.createObjectNode();
          answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
          ObjectNode given = (ObjectNode) json(response.apply(review.path("request")));
          given.set("uid", review.path("request").path("uid"));
          answer.set("response", given);
          return answer;
        });
  }

  static String allowed() {
    return "{'allowed': true}";
  }

  static String patch(String operations) {
    String patch =
        Base64.getEncoder()
            .encodeToString(json(operations).toString().getBytes(StandardCharsets.UTF_8));
    return "{'allowed': true, 'patchType': 'JSONPatch', 'patch': '" + patch + "'}";
  }

  static JsonNode json(String singleQuoted) {
    try {
      return JSON.readTree(singleQuoted.replace('\'', '"'));
    } catch (IOException e) {
      throw new AssertionError("no JSON: " + singleQuoted, e);
    }
  }

  /** The {@code request}s so far, the newest last. */
  List<ObjectNode> requests() {
    return requests;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      ObjectNode review = (ObjectNode) JSON.readTree(exchange.getRequestBody());
      Function<ObjectNode, JsonNode> behaviour = behaviours.get(exchange.getRequestURI().getPath());
      requests.add((ObjectNode) review.path("request"));
      JsonNode answer = behaviour == null ? NullNode.instance : behaviour.apply(review);
      if (answer.isMissingNode()) {
        return;
      }
      byte[] body =
          behaviour == null
              ? "no such webhook".getBytes(StandardCharsets.UTF_8)
              : JSON.writeValueAsBytes(answer);
      exchange.sendResponseHeaders(behaviour == null ? 404 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
