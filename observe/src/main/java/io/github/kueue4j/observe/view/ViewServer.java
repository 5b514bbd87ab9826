// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ServiceProxy;
import io.github.kueue4j.runtime.http.AnswerSender;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.runtime.http.RequestThreads;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the page, its JSON and its events, over HTTP or HTTPS. */
final class ViewServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ViewServer.class);

  /**
   * The number of requests that are answered at once, streams of events included; see {@link
   * StreamPlaces}.
   */
  static final int MOST_REQUESTS = 24;

  /** The deadline of a request, in wire time; longer than the life of a stream. */
  private static final Duration DEADLINE = EventStream.LIFE.plusSeconds(20);

  private static final String API = "/view/v1/";
  private static final String JSON = "application/json; charset=utf-8";
  private static final int LONGEST_ADDRESS = 4_096;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Everything comes from this server, and nothing is inline: no name can become a script. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'";

  private final HttpServer server;
  private final RequestThreads threads;
  private final ViewApi api;
  private final EventStream events;
  private final ViewAccess access;
  private final boolean secure;
  private final PageFiles files = new PageFiles();
  private final StreamPlaces streams = new StreamPlaces();

  private ViewServer(
      HttpServer server,
      RequestThreads threads,
      ViewApi api,
      EventStream events,
      ViewAccess access) {
    this.server = server;
    this.threads = threads;
    this.api = api;
    this.events = events;
    this.access = access;
    this.secure = server instanceof HttpsServer;
  }

  /**
   * A server that answers from now on.
   *
   * @param tls null for plain HTTP, which is answered only under the names of the loopback address
   * @throws HttpPortException if the port can't be bound
   */
  static ViewServer start(
      HttpAddress address,
      @Nullable HttpsConfigurator tls,
      ViewApi api,
      EventStream events,
      ViewAccess access,
      ClusterConnection connection) {
    HttpServer http;
    try {
      if (tls == null) {
        http = HttpServer.create(address.socket(), 0);
      } else {
        HttpsServer https = HttpsServer.create(address.socket(), 0);
        https.setHttpsConfigurator(tls);
        http = https;
      }
    } catch (IOException | UnresolvedAddressException e) {
      throw new HttpPortException(
          "can't serve the view on %s (%s): choose another port in kueue4j.view.bindAddress, or remove it"
              .formatted(address, e.getMessage()),
          e);
    }
    RequestThreads threads =
        new RequestThreads(
            "view", MOST_REQUESTS, DEADLINE, connection.wireTime(), connection.fatalErrors());
    ViewServer view = new ViewServer(http, threads, api, events, access);
    http.setExecutor(threads);
    http.createContext("/", view::answer);
    http.start();
    log.atInfo().addKeyValue("port", view.port()).log("Serving the view of queues");
    return view;
  }

  /** The port that it listens on. */
  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      headers(exchange);
      try {
        checkRequest(exchange);
        route(exchange, exchange.getRequestURI().getPath());
      } catch (ViewProblem problem) {
        if (problem.status() == 401) {
          exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        }
        AnswerSender.send(exchange, problem.status(), JSON, json(problem));
      } catch (InterruptedException e) {
        // The server ends, or needs the thread: the client comes again.
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("Could not answer a request to the view");
        AnswerSender.send(
            exchange,
            500,
            JSON,
            json(new ViewProblem(500, "the request failed in the core; its log has the cause")));
      }
    }
  }

  private static byte[] json(ViewProblem problem) {
    return bytes(
        Map.of("error", Map.of("status", problem.status(), "message", "" + problem.getMessage())));
  }

  private static byte[] bytes(Object answer) {
    return ViewJson.of(answer).getBytes(StandardCharsets.UTF_8);
  }

  private static void headers(HttpExchange exchange) {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private void checkRequest(HttpExchange exchange) {
    String method = exchange.getRequestMethod();
    if (!method.equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      throw new ViewProblem(405, "only GET is possible: the view changes nothing");
    }
    if (exchange.getRequestURI().toString().length() > LONGEST_ADDRESS) {
      throw new ViewProblem(
          414, "the address is longer than " + LONGEST_ADDRESS + " characters; use fewer filters");
    }
    // Another site's name that resolves to this machine would let its scripts read the answers.
    String host = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host")).orElse("");
    if (!secure && !LOOPBACK.contains(host.replaceFirst(":\\d{1,5}$", ""))) {
      throw new ViewProblem(421, "ask for localhost or 127.0.0.1: this is no public server");
    }
  }

  private void route(HttpExchange exchange, String path) throws IOException, InterruptedException {
    if (!path.startsWith(API)) {
      PageFiles.PageFile file =
          files
              .at(path)
              .orElseThrow(() -> new ViewProblem(404, "there is no such page; the view is at /"));
      send(exchange, file);
      return;
    }
    List<String> parts = Arrays.asList(path.substring(API.length()).split("/", -1));
    String query = exchange.getRequestURI().getRawQuery();
    Viewer viewer = new Viewer(access, authorization(exchange));
    if (parts.equals(List.of("events"))) {
      stream(exchange, ViewQuery.of(query, Set.of("namespace")).text("namespace"), viewer);
    } else {
      AnswerSender.send(exchange, 200, JSON, bytes(api.answer(parts, query, viewer)));
    }
  }

  /** A browser that has the file asks whether it is still the same. */
  private static void send(HttpExchange exchange, PageFiles.PageFile file) throws IOException {
    exchange.getResponseHeaders().set("ETag", file.tag());
    exchange.getResponseHeaders().set("Cache-Control", "no-cache");
    if (file.tag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
      exchange.sendResponseHeaders(304, -1);
    } else {
      AnswerSender.send(exchange, 200, file.type(), file.content());
    }
  }

  /** The API server's proxy of Services keeps Authorization for itself. */
  private static String authorization(HttpExchange exchange) {
    return Stream.of("Authorization", ServiceProxy.FORWARDED_AUTHORIZATION)
        .map(exchange.getRequestHeaders()::getFirst)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("");
  }

  private void stream(HttpExchange exchange, String namespace, Viewer viewer)
      throws IOException, InterruptedException {
    String user = viewer.checkWorkloads(namespace);
    streams.take(user);
    try {
      events.answer(exchange, namespace);
    } finally {
      streams.giveBack(user);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
