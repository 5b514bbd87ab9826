// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.page;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.cli.page.PageAccess.Decision;
import io.github.kueue4j.runtime.client.ClusterConnectionException;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ServiceProxy;
import io.github.kueue4j.runtime.http.AnswerSender;
import io.github.kueue4j.runtime.http.HttpPortException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apiguardian.api.API;

/**
 * Serves the page to one browser of this machine: passes its requests on to the core, which adds
 * the user's token on the way. The browser never has the token.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class PageServer implements AutoCloseable {
  /** What a request may say beside its address. */
  private static final List<String> REQUEST_HEADERS =
      List.of("Accept", "If-None-Match", "Last-Event-ID");

  /** What an answer may say. */
  private static final List<String> ANSWER_HEADERS =
      List.of(
          "Cache-Control",
          "Content-Security-Policy",
          "Content-Type",
          "Cross-Origin-Opener-Policy",
          "Cross-Origin-Resource-Policy",
          "ETag",
          "Referrer-Policy",
          "X-Content-Type-Options");

  private static final int NO_BODY = -1;
  private static final int AS_LONG_AS_IT_TAKES = 0;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final PageAccess access;
  private final ServiceProxy core;

  private PageServer(HttpServer server, PageAccess access, ServiceProxy core) {
    this.server = server;
    this.access = access;
    this.core = core;
  }

  /**
   * Answers on the loopback address from now on.
   *
   * @param port TCP port; 0 for any free one
   * @param key a secret that isn't used anywhere else
   * @throws HttpPortException if the port is in use
   */
  public static PageServer start(int port, String key, ServiceProxy core) {
    HttpServer http;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new HttpPortException(
          "can't serve the page on port %s (%s); choose another --port"
              .formatted(port, e.getMessage()),
          e);
    }
    PageServer page = new PageServer(http, new PageAccess(http.getAddress().getPort(), key), core);
    http.setExecutor(page.threads);
    http.createContext("/", page::answer);
    http.start();
    return page;
  }

  /** What a browser is to open; with it, a browser sees what the user sees while this runs. */
  public URI address() {
    return URI.create(
        "http://localhost:" + access.port() + PageAccess.ENTRANCE + "?key=" + access.key());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      URI address = exchange.getRequestURI();
      Decision decision =
          access.decide(
              exchange.getRequestMethod(),
              address.getRawPath(),
              address.getRawQuery(),
              exchange.getRequestHeaders()::getFirst);
      switch (decision) {
        case Decision.PassOn pass -> passOn(exchange, address);
        case Decision.Enter enter -> {
          exchange.getResponseHeaders().set("Set-Cookie", enter.cookie());
          exchange.getResponseHeaders().set("Location", "/");
          exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
          exchange.sendResponseHeaders(303, NO_BODY);
        }
        case Decision.Refuse refuse -> refuse(exchange, refuse.status(), refuse.why());
      }
    }
  }

  private void passOn(HttpExchange exchange, URI address) throws IOException {
    try (ServiceProxy.Answer answer =
        core.get(address.getRawPath(), address.getRawQuery(), headers(exchange))) {
      Headers headers = exchange.getResponseHeaders();
      ANSWER_HEADERS.forEach(
          name -> answer.header(name).ifPresent(value -> headers.set(name, value)));
      boolean empty = answer.status() == 304;
      exchange.sendResponseHeaders(answer.status(), empty ? NO_BODY : AS_LONG_AS_IT_TAKES);
      if (!empty) {
        copy(answer.body(), exchange.getResponseBody());
      }
    } catch (KubernetesApiException e) {
      refuse(exchange, e.code() >= 400 ? e.code() : 502, String.valueOf(e.getMessage()));
    } catch (ClusterConnectionException e) {
      refuse(exchange, 502, String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, String> headers(HttpExchange exchange) {
    Map<String, String> headers = new HashMap<>();
    for (String name : REQUEST_HEADERS) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    return headers;
  }

  /** Sends on what has come, as it comes: an event must not wait for the next. */
  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[8192];
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      to.write(buffer, 0, read);
      to.flush();
    }
  }

  /** In the form of the view's own errors, which the page shows. */
  private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
    JsonObject error = new JsonObject();
    error.addProperty("status", status);
    error.addProperty("message", why);
    JsonObject answer = new JsonObject();
    answer.add("error", error);
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    AnswerSender.send(exchange, status, "application/json; charset=utf-8", answer.toString());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
