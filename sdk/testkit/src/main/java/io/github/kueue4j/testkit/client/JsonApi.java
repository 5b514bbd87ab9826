// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An API server, spoken to in JSON trees, so that nothing that it says gets lost on the way. Paths
 * are those of the API, such as {@code /apis/kueue.x-k8s.io/v1beta2/workloads}. Thread-safe; {@link
 * #close} ends every request.
 *
 * <pre>{@code
 * try (JsonApi api = JsonApi.at(URI.create("http://127.0.0.1:8001"))) {
 *   boolean there = api.get("/apis/kueue.x-k8s.io/v1beta2/workloads").isPresent();
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JsonApi implements AutoCloseable {
  /** The User-Agent that the testkit sends. */
  public static final String USER_AGENT = "kueue4j-testkit";

  /** How long a request may take, from the first byte that is sent to the last one read. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MediaType JSON_BODY = MediaType.get("application/json");

  private final URI server;
  private final OkHttpClient calls;
  private final OkHttpClient watches;

  private JsonApi(URI server, OkHttpClient base) {
    this.server = server;
    // One limit for a whole call: a server that is slow, or a write that is held back, isn't dead.
    this.calls =
        base.newBuilder()
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .callTimeout(PATIENCE)
            .build();
    this.watches =
        base.newBuilder()
            .readTimeout(Duration.ZERO)
            .callTimeout(Duration.ZERO)
            .connectionPool(new okhttp3.ConnectionPool())
            .dispatcher(new okhttp3.Dispatcher())
            .build();
  }

  /** A server that asks for no credentials, such as one on loopback. */
  public static JsonApi at(URI server) {
    return new JsonApi(server, Credentials.none());
  }

  /**
   * The server of a kubeconfig's current context, with its certificates, tokens and exec plugins.
   *
   * @throws UnreachableServerException if the file is missing or unusable
   */
  public static JsonApi of(Path kubeconfig) {
    return of(kubeconfig, null);
  }

  /**
   * The server of a kubeconfig's context.
   *
   * @param context its name; null for the current one
   * @throws UnreachableServerException if the file or the context is missing or unusable
   */
  public static JsonApi of(Path kubeconfig, @Nullable String context) {
    Credentials.Login login = Credentials.read(kubeconfig, context);
    return new JsonApi(login.server(), login.client());
  }

  /** The base URL, without a trailing slash. */
  public URI server() {
    return server;
  }

  /** The object, if there is one. */
  public Optional<ObjectNode> get(String path) {
    try {
      return Optional.of(call("GET", path, null, JSON_BODY));
    } catch (RefusedRequestException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Creates an object in the collection at this path. */
  public ObjectNode create(String collection, JsonNode object) {
    return call("POST", collection, object, JSON_BODY);
  }

  /** Patches the object, or its subresource, at this path. */
  public ObjectNode patch(String path, PatchFormat format, JsonNode patch) {
    return call("PATCH", path, patch, MediaType.get(format.mediaType()));
  }

  /** Deletes the object in the background; no matter if there is none. */
  public void delete(String path) {
    ObjectNode options = JSON.createObjectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.put("propagationPolicy", "Background");
    try {
      call("DELETE", path, options, JSON_BODY);
    } catch (RefusedRequestException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /**
   * Follows a collection from this version on, until the server ends the stream or the watch is
   * closed.
   *
   * @param onEvent shown every event, in a thread of the watch's own; a refusal of the watch itself
   *     is an event of type {@code ERROR}, whose object has the HTTP code
   * @param onEnd run once afterwards, in the same thread, unless the watch was closed
   */
  public Watch watch(
      String collection, String resourceVersion, Consumer<ObjectNode> onEvent, Runnable onEnd) {
    String path =
        collection + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + resourceVersion;
    return Watch.start(watches.newCall(request("GET", path, null, JSON_BODY)), onEvent, onEnd);
  }

  /** Sends a request as it is, for who stands between a client and the server. */
  @API(status = API.Status.INTERNAL)
  public Call exchange(String method, String path, Request.Builder request, boolean watch) {
    return (watch ? watches : calls).newCall(request.url(server + path).build());
  }

  private ObjectNode call(String method, String path, @Nullable JsonNode body, MediaType bodyType) {
    String what = method + " " + path;
    try (Response response = calls.newCall(request(method, path, body, bodyType)).execute()) {
      ResponseBody answer = response.body();
      JsonNode tree = read(answer == null ? "" : answer.string());
      if (!response.isSuccessful()) {
        throw new RefusedRequestException(what, response.code(), tree.path("message").asText());
      }
      return tree instanceof ObjectNode object ? object : JSON.createObjectNode();
    } catch (IOException e) {
      throw new UnreachableServerException(
          "no answer from " + server + " to " + what + ": " + e.getMessage(), e);
    }
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException noJson) {
      return JSON.createObjectNode().put("message", text);
    }
  }

  private Request request(String method, String path, @Nullable JsonNode body, MediaType bodyType) {
    return new Request.Builder()
        .url(server + path)
        .header("User-Agent", USER_AGENT)
        .header("Accept", "application/json")
        .method(method, body == null ? null : RequestBody.create(body.toString(), bodyType))
        .build();
  }

  /** Ends all requests and watches; no thread stays. */
  @Override
  public void close() {
    for (OkHttpClient client : new OkHttpClient[] {watches, calls}) {
      client.dispatcher().cancelAll();
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }
}
