// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients see of an answer, whatever they send. */
class AnswerSenderTest {
  private static final String TEXT = "grüße\n";

  private final HttpServer server;
  private final List<IOException> failures = new CopyOnWriteArrayList<>();

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
          } catch (IOException e) {
            failures.add(e);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aTextIsSentInUtf8WithItsLength() throws Exception {
    assertThat(answersTo(""))
        .startsWith("HTTP/1.1 413 ")
        .containsIgnoringCase("\r\ncontent-length: 8\r\n")
        .containsIgnoringCase("\r\ncontent-type: text/plain; charset=utf-8\r\n")
        .endsWith("\r\n\r\n" + TEXT);
  }

  /** A body behind the headers would be read as the begin of the next answer. */
  @Test
  void aHeadIsAnsweredWithoutABody() throws Exception {
    String answers = answersTo("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(answers.split("HTTP/1.1 413", -1)).as("that and the next").hasSize(3);
    assertThat(answers).containsOnlyOnce(TEXT).endsWith("\r\n\r\n" + TEXT);
    assertThat(failures).isEmpty();
  }

  /** More than the JDK skips by itself when an exchange is closed: it would end the connection. */
  @Test
  void aBodyThatIsNotNeededIsReadSoThatTheConnectionGoesOn() throws Exception {
    String body = "x".repeat(900_000);
    String answers =
        answersTo("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n" + body);

    assertThat(answers.split("HTTP/1.1 413", -1)).as("that and the next").hasSize(3);
    assertThat(answers).endsWith("\r\n\r\n" + TEXT);
  }

  /** The answers to a request and to a GET on the same connection. */
  private String answersTo(String request) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
      String next = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write((request + next).getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
