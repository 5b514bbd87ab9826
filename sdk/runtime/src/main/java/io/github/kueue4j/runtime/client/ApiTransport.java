// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.MalformedJsonException;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PathSegmentException;
import io.kubernetes.client.openapi.models.V1Status;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Sends HTTP requests and converts error responses to {@link KubernetesApiException}s. */
@API(status = API.Status.INTERNAL)
public final class ApiTransport {

  private final HttpUrl base;
  private final OkHttpClient client;
  private final Object owner;
  private final @Nullable RequestLimit limit;

  /**
   * A transport through this client.
   *
   * @param owner tags the requests, for {@link #cancelAll}
   * @param limit the rate limit that requests wait for; null for none
   */
  ApiTransport(URI server, OkHttpClient client, Object owner, @Nullable RequestLimit limit) {
    this.base = HttpUrl.get(server.toString());
    this.client = client;
    this.owner = owner;
    this.limit = limit;
  }

  /** Cancels all running requests of this transport's owner. */
  public void cancelAll() {
    for (Call call : client.dispatcher().runningCalls()) {
      if (call.request().tag() == owner) {
        call.cancel();
      }
    }
  }

  /** The API through this transport. */
  public KubernetesApi api() {
    return new HttpApi(this);
  }

  Call newCall(Request request) {
    return client.newCall(request);
  }

  /** A GET, POST, PATCH or DELETE with query parameters whose values may be null (left out). */
  Request request(
      String method,
      String path,
      Map<String, String> query,
      @Nullable JsonElement body,
      String contentType) {
    HttpUrl.Builder url = base.newBuilder();
    for (String segment : path.substring(1).split("/", -1)) {
      // The URL's builder resolves "..", so that the request would go to another path.
      url.addPathSegment(PathSegmentException.check("a part of the path " + path, segment));
    }
    query.forEach(url::addQueryParameter);
    @Nullable RequestBody content =
        body == null
            ? null
            // As bytes: with a String the HTTP library would append a charset to the media type,
            // and the server refuses such patch types (415).
            : RequestBody.create(
                body.toString().getBytes(StandardCharsets.UTF_8), MediaType.get(contentType));
    return new Request.Builder()
        .url(url.build())
        .tag(owner)
        .header("Accept", "application/json")
        .method(method, content)
        .build();
  }

  /**
   * Sends a request and returns the JSON of a 2xx response.
   *
   * @param what verb, resource and key, for messages
   */
  JsonElement send(Request request, String what) {
    return send(request, what, body -> JsonParser.parseReader(text(body)));
  }

  private static Reader text(InputStream body) {
    return new InputStreamReader(body, StandardCharsets.UTF_8);
  }

  /**
   * Reads the body of a 2xx response while it arrives.
   *
   * @param <R> what is made of it
   */
  @FunctionalInterface
  interface BodyReader<R> {
    /**
     * Reads the body.
     *
     * @throws IOException if the connection breaks, a {@link MalformedJsonException} if the body is
     *     no JSON
     * @throws JsonParseException if the body is no JSON
     */
    R read(InputStream body) throws IOException;
  }

  /**
   * Sends a request and reads a 2xx response.
   *
   * @param what verb, resource and key, for messages
   */
  <R> R send(Request request, String what, BodyReader<R> reader) {
    awaitRateLimit(what);
    try (Response response = execute(client.newCall(request))) {
      if (!response.isSuccessful()) {
        throw refusal(what, response, text(response));
      }
      try {
        return reader.read(response.body().byteStream());
      } catch (JsonParseException | MalformedJsonException e) {
        if (e.getCause() instanceof IOException broken
            && !(broken instanceof MalformedJsonException)
            && !(broken instanceof EOFException)) {
          throw broken;
        }
        throw new KubernetesApiException.Malformed(
            what + ": the response is not JSON; is " + base + " a Kubernetes API server?",
            response.code(),
            e);
      }
    } catch (IOException e) {
      throw notSent(what, e);
    }
  }

  /** Opens a streaming response; the caller closes it. */
  Response open(Call call, String what) {
    awaitRateLimit(what);
    try {
      Response response = execute(call);
      if (!response.isSuccessful()) {
        try (response) {
          throw refusal(what, response, text(response));
        }
      }
      return response;
    } catch (IOException e) {
      throw unreachable(what, e);
    }
  }

  /**
   * Executes a call; OkHttp may throw an InterruptedException that its Kotlin signature doesn't
   * declare.
   */
  private static Response execute(Call call) throws IOException {
    try {
      return call.execute();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** Waits for the rate limit, before the call's timeout starts. */
  private void awaitRateLimit(String what) {
    if (limit != null && !limit.await()) {
      throw unreachable(
          what,
          new InterruptedIOException("closed or interrupted while waiting for the rate limit"));
    }
  }

  private KubernetesApiException notSent(String what, IOException e) {
    return e instanceof LeaseGuard.LeaseInvalidException
        ? new KubernetesApiException.LeaseInvalid(what + ": not sent, " + e.getMessage(), e)
        : unreachable(what, e);
  }

  private KubernetesApiException.Unreachable unreachable(String what, IOException e) {
    if (e instanceof InterruptedIOException && Thread.interrupted()) {
      // OkHttp reports an interrupt as a timeout; keep the flag for the code that stops this
      // thread.
      Thread.currentThread().interrupt();
    }
    return new KubernetesApiException.Unreachable(
        what + ": no answer from " + base + " (" + FailedRequest.describe(e) + ")", e);
  }

  private static String text(Response response) throws IOException {
    @Nullable ResponseBody body = response.body();
    return body == null ? "" : body.string();
  }

  static KubernetesApiException refusal(String what, Response response, String text) {
    return refusal(what, response.code(), status(text), text, retryAfter(response));
  }

  static KubernetesApiException refusal(
      String what,
      int code,
      @Nullable V1Status status,
      String text,
      @Nullable Duration retryAfter) {
    @Nullable String said = status == null ? null : status.getMessage();
    String message =
        String.format(Locale.ROOT, "%s: %d %s", what, code, said == null ? text.strip() : said);
    @Nullable String reason = status == null ? null : status.getReason();
    return switch (code) {
      case 401 -> new KubernetesApiException.Unauthorized(message, status);
      case 403 -> new KubernetesApiException.Forbidden(message, status);
      case 404 -> new KubernetesApiException.NotFound(message, status);
      case 409 ->
          "AlreadyExists".equals(reason)
              ? new KubernetesApiException.AlreadyExists(message, status)
              : new KubernetesApiException.Conflict(message, status);
      case 410 -> new KubernetesApiException.Gone(message, status);
      case 422 -> new KubernetesApiException.Invalid(message, status);
      case 429 -> new KubernetesApiException.TooManyRequests(message, status, retryAfter);
      default ->
          code >= 500
              ? new KubernetesApiException.ServerFailure(message, code, status, retryAfter)
              : new KubernetesApiException.BadRequest(message, code, status);
    };
  }

  private static @Nullable V1Status status(String text) {
    try {
      V1Status status = KueueJson.fromJson(text, V1Status.class);
      return "Status".equals(status.getKind()) ? status : null;
    } catch (JsonParseException notAStatus) {
      // Not a Status, such as a proxy's error page: the message then contains the text itself.
      return null;
    }
  }

  private static @Nullable Duration retryAfter(Response response) {
    @Nullable String header = response.header("Retry-After");
    return header != null && header.matches("\\d{1,6}")
        ? Duration.ofSeconds(Long.parseLong(header))
        : null;
  }
}
