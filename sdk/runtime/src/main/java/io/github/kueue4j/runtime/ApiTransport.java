/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Status;
import java.io.IOException;
import java.io.InterruptedIOException;
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
import org.jspecify.annotations.Nullable;

/** Sends requests and turns refusals into {@link KubernetesApiException}s. */
final class ApiTransport {

  private final HttpUrl base;
  private final OkHttpClient client;
  private final Object owner;
  private final @Nullable RequestLimit limit;

  /**
   * A transport through this client.
   *
   * @param owner whose requests these are, for {@link #cancelAll}
   * @param limit what requests wait at; null if they don't
   */
  ApiTransport(URI server, OkHttpClient client, Object owner, @Nullable RequestLimit limit) {
    this.base = HttpUrl.get(server.toString());
    this.client = client;
    this.owner = owner;
    this.limit = limit;
  }

  /** Ends all requests of this transport's owner that are under way. */
  void cancelAll() {
    for (Call call : client.dispatcher().runningCalls()) {
      if (call.request().tag() == owner) {
        call.cancel();
      }
    }
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
      url.addPathSegment(segment);
    }
    query.forEach(url::addQueryParameter);
    @Nullable RequestBody content =
        body == null
            ? null
            // As bytes: from a String the HTTP library would append a charset to the media type,
            // and the server refuses patch types that it doesn't know exactly (415).
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
   * Sends it and returns the JSON of a 2xx answer.
   *
   * @param what what the request does, for messages: verb, resource and key
   */
  JsonElement send(Request request, String what) {
    awaitTurn(what);
    try (Response response = execute(client.newCall(request))) {
      String text = text(response);
      if (!response.isSuccessful()) {
        throw refusal(what, response, text);
      }
      try {
        return JsonParser.parseString(text);
      } catch (JsonParseException e) {
        throw new KubernetesApiException.Malformed(
            what + ": the answer is no JSON; is " + base + " a Kubernetes API server?",
            response.code(),
            e);
      }
    } catch (IOException e) {
      throw unreachable(what, e);
    }
  }

  /** Opens a stream; the caller closes the response. */
  Response open(Call call, String what) {
    awaitTurn(what);
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

  /** OkHttp lets an interruption through that its signature, as Java sees it, doesn't declare. */
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

  /** Before the call's timeout begins to run. */
  private void awaitTurn(String what) {
    if (limit != null && !limit.await()) {
      throw unreachable(what, new InterruptedIOException("ended while it waited for its turn"));
    }
  }

  private KubernetesApiException.Unreachable unreachable(String what, IOException e) {
    if (e instanceof InterruptedIOException && Thread.interrupted()) {
      // OkHttp reports an interrupt as a timeout; the flag must survive for whoever stops us.
      Thread.currentThread().interrupt();
    }
    return new KubernetesApiException.Unreachable(
        what + ": no answer from " + base + " (" + HttpApi.describe(e) + ")", e);
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
      // A proxy's error page, for example: the text itself goes into the message.
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
