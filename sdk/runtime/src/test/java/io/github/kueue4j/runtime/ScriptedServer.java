// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server with scripted responses, for failures that a real API server doesn't produce on
 * request.
 */
public final class ScriptedServer implements AutoCloseable {

  /** A request as it arrived. */
  public record Received(
      String method,
      String path,
      String query,
      @Nullable String contentType,
      @Nullable String userAgent,
      @Nullable String authorization,
      String body) {
    public boolean isWatch() {
      return query.contains("watch=true");
    }

    public boolean isList() {
      return method.equals("GET") && !isWatch();
    }
  }

  /** Answers the requests. */
  public interface Script {
    void answer(Received request, Answer answer) throws IOException;
  }

  /** The answer to one request; a watch keeps it open. */
  public static final class Answer {
    private final HttpExchange exchange;
    private @Nullable OutputStream stream;

    Answer(HttpExchange exchange) {
      this.exchange = exchange;
    }

    /** With this header, which stands before whatever answers. */
    public Answer header(String name, String value) {
      exchange.getResponseHeaders().set(name, value);
      return this;
    }

    /** Answers with JSON and ends. */
    public void json(int code, String body) throws IOException {
      json(code, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with bytes that claim to be JSON, and ends. */
    public void json(int code, byte[] bytes) throws IOException {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    }

    /** Answers with a Status object. */
    public void status(int code, String reason, String message) throws IOException {
      json(code, statusJson(code, reason, message));
    }

    /** Opens a watch; it stays open until {@link #end}. */
    public Answer open() throws IOException {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      stream = exchange.getResponseBody();
      stream.flush();
      return this;
    }

    /** Sends one event of the watch. */
    public Answer event(String type, String object) {
      return raw("{\"type\":\"" + type + "\",\"object\":" + object + "}\n");
    }

    /** Sends text as it is. */
    public Answer raw(String text) {
      return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends bytes as they are. */
    public Answer raw(byte[] bytes) {
      try {
        if (stream == null) {
          throw new IllegalStateException("open() first");
        }
        stream.write(bytes);
        stream.flush();
        return this;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Ends the watch. */
    public void end() {
      exchange.close();
    }
  }

  private final HttpServer server;
  private final Actors threads = Actors.named("scripted");
  private final List<Received> received = new CopyOnWriteArrayList<>();

  public ScriptedServer(Script script) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          Received request = read(exchange);
          received.add(request);
          script.answer(request, new Answer(exchange));
        });
    server.start();
  }

  private static Received read(HttpExchange exchange) throws IOException {
    @Nullable String query = exchange.getRequestURI().getQuery();
    return new Received(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        query == null ? "" : query,
        exchange.getRequestHeaders().getFirst("Content-Type"),
        exchange.getRequestHeaders().getFirst("User-Agent"),
        exchange.getRequestHeaders().getFirst("Authorization"),
        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** All requests so far. */
  public List<Received> received() {
    return List.copyOf(received);
  }

  public long count(Predicate<Received> which) {
    return received.stream().filter(which).count();
  }

  /** A list of objects of any kind. */
  public static String listJson(String resourceVersion, String... items) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\""
        + resourceVersion
        + "\"},\"items\":["
        + String.join(",", items)
        + "]}";
  }

  /** A config map. */
  public static String configMap(String name, String resourceVersion, String value) {
    return """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"default","name":"%s",
        "uid":"uid-%s","resourceVersion":"%s"},"data":{"value":"%s"}}\
        """
        .formatted(name, name, resourceVersion, value)
        .replace("\n", "");
  }

  public static String bookmark(String resourceVersion) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"resourceVersion\":\""
        + resourceVersion
        + "\"}}";
  }

  public static String statusJson(int code, String reason, String message) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\""
        + reason
        + "\",\"message\":\""
        + message
        + "\",\"code\":"
        + code
        + "}";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
