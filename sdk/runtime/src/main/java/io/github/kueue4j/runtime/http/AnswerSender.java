// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** Sends answers of the JDK's HTTP servers. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AnswerSender {
  /** How much of a request that needs no body is read, in bytes. */
  private static final int MOST_READ = 1 << 20;

  private AnswerSender() {}

  /** Sends a text. */
  public static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    send(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a body, to HEAD only its headers; the caller closes the exchange. */
  public static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.getResponseBody().flush();
    readOn(exchange.getRequestBody());
  }

  /**
   * Closing an exchange with more to read than the JDK skips by itself, 64 KiB, cuts the
   * connection: a client that still sends sees that instead of the answer. It is read, not skipped:
   * until Java 22 {@code skip} of this stream goes on into the next request.
   */
  private static void readOn(InputStream body) throws IOException {
    byte[] buffer = new byte[8192];
    int left = MOST_READ;
    for (int read = 0; read >= 0 && left > 0; left -= read) {
      read = body.read(buffer);
    }
  }
}
