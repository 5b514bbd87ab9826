// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Creates and closes the HTTP clients of one connection. */
final class HttpClients {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

  /** HTTP/2 only: a connection that doesn't answer a ping within this time is closed. */
  private static final Duration PING = Duration.ofSeconds(20);

  private static final int MAX_CALLS = 64;
  private static final int MAX_WATCHES = 128;

  private HttpClients() {}

  /**
   * A client with the endpoint's TLS settings and credentials, on which {@link #forCalls} and
   * {@link #forWatches} are based.
   */
  static OkHttpClient base(Endpoint endpoint, String component) {
    ApiClient client;
    try {
      client = endpoint.client().build();
    } catch (RuntimeException e) {
      throw new ClusterConnectionException(
          "can't use the certificates for " + endpoint.server() + ": " + e.getMessage(), e);
    }
    return client
        .getHttpClient()
        .newBuilder()
        .addInterceptor(headers(client, userAgent(component)))
        .addNetworkInterceptor(new BoundedRetryAfter())
        .build();
  }

  static OkHttpClient forCalls(OkHttpClient base, URI server, Duration callTimeout) {
    return own(base, MAX_CALLS)
        .addInterceptor(new RequestMeters(HttpUrl.get(server.toString())))
        .readTimeout(READ_TIMEOUT)
        .writeTimeout(READ_TIMEOUT)
        .callTimeout(callTimeout)
        .build();
  }

  static OkHttpClient forWatches(OkHttpClient base) {
    return own(base, MAX_WATCHES).readTimeout(Duration.ZERO).callTimeout(Duration.ZERO).build();
  }

  /** The same client, whose requests this wire carries. */
  static OkHttpClient over(Wire wire, OkHttpClient client) {
    return client
        .newBuilder()
        .callTimeout(Duration.ZERO) // By a thread of the HTTP library, in real time.
        .eventListener(
            new EventListener() {
              @Override
              public void canceled(Call call) {
                wire.cancelled(call);
              }
            })
        .addInterceptor(new Carried(wire, Duration.ofMillis(client.callTimeoutMillis())))
        .build();
  }

  /** In place of the HTTP library's own steps, which end with the network. */
  private record Carried(Wire wire, Duration timeout) implements Interceptor {
    @Override
    public Response intercept(Chain chain) throws IOException {
      return wire.send(chain.call(), chain.request(), timeout);
    }
  }

  /** The same client with another timeout per request. */
  static OkHttpClient within(Duration timeout, OkHttpClient client) {
    OkHttpClient.Builder builder = client.newBuilder();
    if (isCarried(client)) {
      Carried carried = (Carried) builder.interceptors().removeLast();
      return builder.addInterceptor(new Carried(carried.wire(), timeout)).build();
    }
    return builder.callTimeout(timeout).build();
  }

  private static boolean isCarried(OkHttpClient client) {
    List<Interceptor> steps = client.interceptors();
    return !steps.isEmpty() && steps.getLast() instanceof Carried;
  }

  /** The same client, with an interceptor right before the network. */
  static OkHttpClient before(Interceptor last, OkHttpClient client) {
    OkHttpClient.Builder builder = client.newBuilder();
    List<Interceptor> steps = builder.interceptors();
    if (isCarried(client)) {
      steps.add(steps.size() - 1, last);
    } else {
      builder.addNetworkInterceptor(last);
    }
    return builder.build();
  }

  static void close(OkHttpClient client) {
    client.dispatcher().cancelAll();
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }

  /** A client with its own dispatcher and pool, so that watches never delay calls. */
  private static OkHttpClient.Builder own(OkHttpClient base, int maxRequests) {
    var dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(maxRequests);
    dispatcher.setMaxRequestsPerHost(maxRequests);
    return base.newBuilder()
        .dispatcher(dispatcher)
        .connectionPool(new ConnectionPool(8, 5, TimeUnit.MINUTES))
        .connectTimeout(CONNECT_TIMEOUT)
        .pingInterval(PING);
  }

  private static Interceptor headers(ApiClient client, String userAgent) {
    @Nullable String authorization = authorization(client);
    return chain -> {
      Request.Builder request = chain.request().newBuilder().header("User-Agent", userAgent);
      if (authorization != null && chain.request().header("Authorization") == null) {
        request.header("Authorization", authorization);
      }
      return chain.proceed(request.build());
    };
  }

  /**
   * The header for a static token or password; an interceptor of the client adds renewed tokens.
   */
  private static @Nullable String authorization(ApiClient client) {
    if (client.getAuthentication("BearerToken") instanceof ApiKeyAuth auth
        && auth.getApiKey() != null) {
      return auth.getApiKeyPrefix() == null
          ? auth.getApiKey()
          : auth.getApiKeyPrefix() + ' ' + auth.getApiKey();
    }
    return null;
  }

  /** The API server takes what stands before the slash as field manager, unless it is told one. */
  private static String userAgent(String component) {
    return component + "/kueue4j-" + version();
  }

  private static String version() {
    @Nullable String version = HttpClients.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
