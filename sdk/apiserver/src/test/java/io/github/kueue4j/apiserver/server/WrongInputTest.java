// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.server.TestServer.Answer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a client sends, the answer is a Status object with a fitting code. */
class WrongInputTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @RegisterExtension static final TestServer api = new TestServer();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "1",
        "{",
        "{\"apiVersion\":1,\"kind\":2}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":[]}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":1}}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\","
            + "\"ownerReferences\":[1]}}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"},\"data\":[]}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"},"
            + "\"data\":{\"a\":1}}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}} trailing",
      })
  void aBrokenBodyIsABadRequest(String body) {
    assertRefused(api.send("POST", MAPS, "application/json", body), 400);
  }

  @Test
  void aDeepOrHugeBodyIsRefused() {
    assertRefused(api.send("POST", MAPS, "application/json", "[".repeat(100_000)), 400);
    assertRefused(api.send("POST", MAPS, "application/json", "a".repeat(4_000_000)), 413);
    assertRefused(api.send("POST", "/api/v1/nothing", "text/plain", "a".repeat(2_000_000)), 404);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v1/pods?limit=-1, 400",
    "GET, /api/v1/pods?limit=abc, 400",
    "GET, /api/v1/pods?watch=1&timeoutSeconds=abc, 400",
    "GET, /api/v1/pods?continue=%00, 400",
    "GET, /api/v1/pods?resourceVersion=-5, 400",
    "GET, /api/v1/pods?resourceVersionMatch=Exact, 400",
    "GET, /api/v1/namespaces/default/nodes, 404",
    "GET, /api/v1/pods/x, 404",
    "GET, /api/v1/nodes/x/y, 404",
    "GET, /api/v2, 404",
    "OPTIONS, /api/v1/pods, 405",
    "PUT, /api/v1/pods, 405",
    "DELETE, /api/v1/pods, 405",
    "POST, /healthz, 405",
    "DELETE, /api/v1/namespaces/default/pods/x/status, 405",
  })
  void wrongPathsAndParametersAreRefused(String method, String path, int status) {
    assertRefused(api.send(method, path, "", ""), status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/namespaces/%zz", "/api/v1/namespaces/a%2Fb", "/api//v1"})
  void aUrlThatTheHttpServerRefusesIsABadRequest(String path) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.server().port());
        InputStream in = socket.getInputStream()) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("\"kind\":\"Status\"");
    }
  }

  private static void assertRefused(Answer answer, int status) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
    assertThat(answer.at("kind").asText()).isEqualTo("Status");
    assertThat(answer.at("code").asInt()).isEqualTo(status);
    assertThat(answer.at("message").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST:PORT, 200",
    "127.0.0.1:PORT, 200",
    "127.8.9.10, 200",
    "[::1]:PORT, 200",
    "a-page-of-mine.example, 403",
    "a-page-of-mine.example:PORT, 403",
    "localhost.a-page-of-mine.example, 403",
    "127.0.0.1.a-page-of-mine.example, 403",
    "192.168.1.1, 403",
    "0.0.0.0, 403",
    "[fe80::1], 403",
  })
  void thePlainPortAnswersLoopbackNamesOnly(String host, int status) throws Exception {
    int port = api.server().port();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        InputStream in = socket.getInputStream()) {
      String request =
          "GET "
              + MAPS
              + " HTTP/1.1\r\nHost: "
              + host.replace("PORT", Integer.toString(port))
              + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
      if (status == 403) {
        assertThat(answer).contains("\"reason\":\"Forbidden\"", "loopback addresses only");
      }
    }
  }
}
