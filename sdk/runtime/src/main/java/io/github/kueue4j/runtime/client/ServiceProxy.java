// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.PathSegmentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a Service that the API server passes on ({@code services/proxy}), so that what runs
 * in the cluster can be reached by whom the API server knows. The API server removes the header
 * Authorization from what it passes on; the token goes along in another one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ServiceProxy {
  /** The header that takes {@code Bearer TOKEN}, since the API server removes Authorization. */
  public static final String FORWARDED_AUTHORIZATION = "Kueue4j-Authorization";

  private static final String AUTHORIZATION = "Authorization";
  private static final String BEARER = "Bearer ";
  private static final MediaType JSON = MediaType.get("application/json");
  private static final int LONGEST_REFUSAL = 64 * 1024;

  private final HttpUrl base;
  private final String what;
  private final OkHttpClient client;

  ServiceProxy(
      URI server, OkHttpClient client, String namespace, String service, Identity identity) {
    this.base =
        HttpUrl.get(server.toString())
            .newBuilder()
            .addPathSegments("api/v1/namespaces")
            .addPathSegment(PathSegmentException.check("the namespace", namespace))
            .addPathSegment("services")
            .addPathSegment(PathSegmentException.check("the Service", service))
            .addPathSegment("proxy")
            .build();
    this.what = "services/proxy " + namespace + "/" + service;
    this.client =
        client
            .newBuilder()
            .readTimeout(Duration.ofMinutes(1))
            // What answers behind the proxy could send the token elsewhere.
            .followRedirects(false)
            .followSslRedirects(false)
            // Last, so that it sees the token as it is after a renewal.
            .addInterceptor(identity::intercept)
            .build();
  }

  /**
   * How the Service learns who asks.
   *
   * @param header that takes {@code Bearer TOKEN}
   * @param token null for the token of the connection
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Identity(String header, @Nullable String token) {
    private Response intercept(Interceptor.Chain chain) throws IOException {
      String sent = token == null ? chain.request().header(AUTHORIZATION) : BEARER + token;
      if (sent == null || !sent.startsWith(BEARER)) {
        throw new NoTokenException();
      }
      return chain.proceed(chain.request().newBuilder().header(header, sent).build());
    }
  }

  /** The connection's credentials are no token. */
  private static final class NoTokenException extends IOException {
    private static final long serialVersionUID = 1L;

    NoTokenException() {
      super("the credentials have no token, but a certificate or nothing");
    }
  }

  /** The answer of the Service; its body may go on for as long as the Service sends. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Answer implements AutoCloseable {
    private final Response response;
    private final InputStream body;

    private Answer(Response response, InputStream body) {
      this.response = response;
      this.body = body;
    }

    /** The status code, those of refusals included. */
    public int status() {
      return response.code();
    }

    /** A header; empty if there is none of the name. */
    public Optional<String> header(String name) {
      return Optional.ofNullable(response.header(name));
    }

    /** The body, while it arrives. */
    public InputStream body() {
      return body;
    }

    @Override
    public void close() {
      response.close();
    }
  }

  /**
   * Sends a GET.
   *
   * @param path below the Service, with a leading slash, encoded; without segments {@code ..}
   * @param query encoded; null for none
   * @param headers further ones
   * @throws KubernetesApiException if the API server refuses, can't reach the Service, or doesn't
   *     answer
   * @throws ClusterConnectionException if the connection's credentials are no token
   */
  public Answer get(String path, @Nullable String query, Map<String, String> headers) {
    HttpUrl url =
        base.newBuilder().addEncodedPathSegments(path.substring(1)).encodedQuery(query).build();
    Request.Builder request = new Request.Builder().url(url);
    headers.forEach(request::header);
    return send(request.build(), Duration.ZERO);
  }

  /**
   * Sends a POST of JSON, which needs {@code create} on {@code services/proxy}.
   *
   * @param path as that of {@link #get}
   * @param within the time for all of it, the answer's body included
   * @throws KubernetesApiException if the API server refuses, can't reach the Service, or doesn't
   *     answer in time
   * @throws ClusterConnectionException if the connection's credentials are no token
   */
  public Answer post(String path, String json, Duration within) {
    return send(
        new Request.Builder()
            .url(base.newBuilder().addEncodedPathSegments(path.substring(1)).build())
            .post(RequestBody.create(json, JSON))
            .build(),
        within);
  }

  /** A time of zero is without end. */
  private Answer send(Request request, Duration within) {
    Call call = client.newCall(request);
    call.timeout().timeout(within.toNanos(), TimeUnit.NANOSECONDS);
    try {
      return answer(call.execute());
    } catch (NoTokenException e) {
      throw new ClusterConnectionException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && Thread.interrupted()) {
        Thread.currentThread().interrupt();
      }
      throw new KubernetesApiException.Unreachable(
          request.method().toLowerCase(Locale.ROOT)
              + " "
              + what
              + ": no answer from "
              + base
              + " ("
              + FailedRequest.describe(e)
              + ")",
          e);
    }
  }

  /** A refusal by the API server itself is a Status; the Service's own are passed on. */
  private Answer answer(Response response) throws IOException {
    ResponseBody body = response.body();
    if (response.isSuccessful() || !isJson(response)) {
      return new Answer(response, body.byteStream());
    }
    byte[] text = response.peekBody(LONGEST_REFUSAL).bytes();
    KubernetesApiException refusal =
        ApiTransport.refusal(
            response.request().method().toLowerCase(Locale.ROOT) + " " + what,
            response,
            new String(text, StandardCharsets.UTF_8));
    if (refusal.status() != null) {
      response.close();
      throw refusal;
    }
    return new Answer(response, body.byteStream());
  }

  private static boolean isJson(Response response) {
    String type = response.header("Content-Type");
    return type != null && type.startsWith("application/json");
  }
}
