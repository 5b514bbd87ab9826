// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients see of an answer, whatever they send. */
class AnswerSenderTest {
  private static final String TEXT = "grüße\n";

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;

  AnswerSenderTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            AnswerSender.send(exchange, 413, "text/plain; charset=utf-8", TEXT);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private HttpResponse<String> ask(String method, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    URI address = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    return client.send(
        HttpRequest.newBuilder(address).method(method, body).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aTextIsSentInUtf8WithItsLength() throws Exception {
    HttpResponse<String> answer = ask("GET", HttpRequest.BodyPublishers.noBody());

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).isEqualTo(TEXT);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    assertThat(answer.headers().firstValue("Content-Length")).contains("8");
  }

  /** A body behind the headers would be read as the begin of the next answer. */
  @Test
  void aHeadIsAnsweredWithoutABodyAndTheConnectionGoesOn() throws Exception {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
      socket
          .getOutputStream()
          .write(
              "HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answers.split("HTTP/1.1 413", -1)).hasSize(3);
      assertThat(answers).containsOnlyOnce(TEXT).endsWith("\r\n\r\n" + TEXT);
    }
  }

  /** More than the JDK skips by itself when an exchange is closed. */
  @Test
  void aClientThatStillSendsSeesTheAnswer() throws Exception {
    byte[] much = new byte[900_000];
    HttpResponse<String> answer =
        ask("POST", HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(much)));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).isEqualTo(TEXT);
  }
}
