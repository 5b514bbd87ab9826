// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** Sends answers of the JDK's HTTP servers. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HttpAnswer {
  /** How much of a request that needs no body is read. */
  private static final long MOST_SKIPPED = 1 << 20;

  private HttpAnswer() {}

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
    // Closing an exchange with more to read than the JDK skips by itself, 64 KiB, cuts the
    // connection: a client that still sends sees that instead of the answer.
    exchange.getRequestBody().skip(MOST_SKIPPED);
  }
}
