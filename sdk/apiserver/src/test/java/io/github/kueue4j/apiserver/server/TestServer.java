// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for the tests of one class, and the few requests that they make. */
final class TestServer implements BeforeAllCallback, AfterAllCallback {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final UnaryOperator<EmbeddedApiServer.Builder> settings;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Actors readers = Actors.named("watch-reader");
  private @Nullable EmbeddedApiServer server;

  TestServer() {
    this(builder -> builder);
  }

  TestServer(UnaryOperator<EmbeddedApiServer.Builder> settings) {
    this.settings = settings;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    server = settings.apply(EmbeddedApiServer.builder()).start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    readers.close();
    client.shutdownNow();
    client.close();
    server().close();
  }

  EmbeddedApiServer server() {
    if (server == null) {
      throw new IllegalStateException("the server isn't started");
    }
    return server;
  }

  record Answer(int status, JsonNode body, HttpHeaders headers) {
    String revision() {
      return body.path("metadata").path("resourceVersion").asText();
    }

    JsonNode at(String dottedPath) {
      return body.at("/" + dottedPath.replace('.', '/'));
    }
  }

  Answer get(String path) {
    return send("GET", path, "", "");
  }

  Answer get(String path, String accept) {
    return send(request(path).header("Accept", accept).GET());
  }

  Answer post(String path, String body) {
    return send("POST", path, "application/yaml", body);
  }

  Answer put(String path, String body) {
    return send("PUT", path, "application/yaml", body);
  }

  Answer mergePatch(String path, String body) {
    return send("PATCH", path, "application/merge-patch+json", body);
  }

  Answer delete(String path) {
    return send("DELETE", path, "", "");
  }

  Answer send(String method, String path, String contentType, String body) {
    HttpRequest.Builder request =
        request(path)
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    return send(contentType.isEmpty() ? request : request.header("Content-Type", contentType));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server().uri() + path))
        .timeout(Patience.LIMIT.multipliedBy(2))
        .header("User-Agent", "apiserver-test/1");
  }

  private Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      String body = response.body();
      JsonNode json =
          body.startsWith("{") ? JSON.readTree(body) : JSON.getNodeFactory().textNode(body);
      return new Answer(response.statusCode(), json, response.headers());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Creates an empty ConfigMap in the default namespace. */
  Answer configMap(String name, String metadata) {
    return post(
        "/api/v1/namespaces/default/configmaps",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + metadata + "}}");
  }

  /** Opens a watch; its events come in a queue, and a null-typed event when it ends. */
  Watch watch(String pathAndQuery) {
    return watch(pathAndQuery, "application/json");
  }

  Watch watch(String pathAndQuery, String accept) {
    try {
      HttpResponse<InputStream> response =
          client.send(
              HttpRequest.newBuilder(URI.create(server().uri() + pathAndQuery))
                  .header("Accept", accept)
                  .build(),
              HttpResponse.BodyHandlers.ofInputStream());
      return new Watch(response.statusCode(), response.body(), readers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** An event in short: its type, the object's name and, of an error, its code. */
  record Event(String type, JsonNode object) {
    String brief() {
      String name = object.path("metadata").path("name").asText();
      return type + (name.isEmpty() ? "" : " " + name);
    }

    String revision() {
      return object.path("metadata").path("resourceVersion").asText();
    }
  }

  /** An open watch. */
  static final class Watch implements AutoCloseable {
    static final Event END = new Event("END", JSON.getNodeFactory().nullNode());
    static final Event CUT = new Event("CUT", JSON.getNodeFactory().nullNode());

    private final int status;
    private final InputStream stream;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Act<Boolean> reading;

    private Watch(int status, InputStream stream, Actors readers) {
      this.status = status;
      this.stream = stream;
      reading = readers.start(this::read);
    }

    private void read() {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          JsonNode event = JSON.readTree(line);
          events.add(new Event(event.path("type").asText(), event.path("object")));
        }
        events.add(END);
      } catch (IOException e) {
        // How a connection that was cut off looks to a client.
        events.add(CUT);
      }
    }

    int status() {
      return status;
    }

    /** The next event; fails if none comes within a minute. */
    Event next() {
      Event event = poll(Patience.LIMIT.multipliedBy(2));
      if (event == null) {
        throw new AssertionError("no event within 60 s");
      }
      return event;
    }

    /** The next events in short. */
    List<String> next(int count) {
      return IntStream.range(0, count).mapToObj(i -> next().brief()).toList();
    }

    /** The next event, or null if none comes in time. */
    @Nullable Event poll(Duration wait) {
      try {
        return events.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() throws IOException {
      stream.close();
      reading.await();
    }
  }
}
