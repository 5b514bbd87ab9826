// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.net.Proxy;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one controller, to any number of endpoints. Connections are kept and used
 * again; what an endpoint takes from Secrets is looked up for each request, so that a renewed token
 * or certificate takes effect at once.
 *
 * <pre>{@code
 * HttpBackends backends = HttpBackends.of(SecretTexts.none(), AddressRules.defaults());
 * HttpEndpoint endpoint = HttpEndpoint.of(URI.create("https://licenses.tools.svc/check"));
 * HttpAnswer answer = backends.at(endpoint).send(HttpCall.postJson("{}"));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HttpBackends implements AutoCloseable {

  private static final int MOST_CLIENTS = 64;

  /** A client certificate or CA bundle that no endpoint has used for so long is forgotten. */
  static final Duration UNUSED_FOR = Duration.ofMinutes(10);

  private static final int IDLE_CONNECTIONS = 16;

  private final Credentials credentials;
  private final OkHttpClient base;

  private final LongSupplier nanos;

  // Guarded by its own monitor, nothing slow happens in it; the one unused for longest is the
  // first.
  private final Map<Trust, Kept> clients = new LinkedHashMap<>(16, 0.75f, true);

  /** A client, and when it was last asked for. */
  private record Kept(OkHttpClient client, long usedAt) {}

  /**
   * Backends without connections.
   *
   * @param nanos a monotonic clock
   */
  HttpBackends(SecretTexts secrets, AddressRules rules, boolean filesAllowed, LongSupplier nanos) {
    this.nanos = nanos;
    this.credentials = new Credentials(secrets, filesAllowed);
    this.base =
        new OkHttpClient.Builder()
            .proxy(Proxy.NO_PROXY)
            .socketFactory(new JudgedSockets(rules))
            .protocols(List.of(Protocol.HTTP_1_1))
            .followRedirects(false)
            .followSslRedirects(false)
            // One address after the other, on the caller's own thread.
            .fastFallback(false)
            .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, 1, TimeUnit.MINUTES))
            // The whole call is limited instead.
            .connectTimeout(Duration.ZERO)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .build();
  }

  /** Backends that read no files. */
  public static HttpBackends of(SecretTexts secrets, AddressRules rules) {
    return new HttpBackends(secrets, rules, false, System::nanoTime);
  }

  /**
   * Backends whose endpoints may name files of the controller's container, such as a token that is
   * projected into it. An author of an endpoint can then have such a file sent to a server.
   */
  public static HttpBackends withFiles(SecretTexts secrets, AddressRules rules) {
    return new HttpBackends(secrets, rules, true, System::nanoTime);
  }

  /** This endpoint. Cheap: ask for it whenever a request is to be sent. */
  public HttpBackend at(HttpEndpoint endpoint) {
    return new HttpBackend(endpoint, credentials, this::client);
  }

  /** Closes the connections that are kept. */
  @Override
  public void close() {
    base.dispatcher().executorService().shutdown();
    base.connectionPool().evictAll();
  }

  private OkHttpClient client(Trust trust) {
    @Nullable OkHttpClient known = kept(trust, null);
    if (known != null) {
      return known;
    }
    OkHttpClient.Builder builder = base.newBuilder();
    trust.applyTo(builder);
    OkHttpClient client = builder.build();
    return Objects.requireNonNullElse(kept(trust, client), client);
  }

  /**
   * The client for this trust, used now; the one that is given if there is none.
   *
   * <p>Forgets those that no endpoint uses any more, with the keys that they hold. Their idle
   * connections are closed after a minute.
   */
  private @Nullable OkHttpClient kept(Trust trust, @Nullable OkHttpClient otherwise) {
    long now = nanos.getAsLong();
    synchronized (clients) {
      @Nullable Kept known = clients.get(trust);
      @Nullable OkHttpClient client = known == null ? otherwise : known.client();
      if (client != null) {
        clients.put(trust, new Kept(client, now));
      }
      Iterator<Kept> eldest = clients.values().iterator();
      while (eldest.hasNext()
          && (now - eldest.next().usedAt() > UNUSED_FOR.toNanos()
              || clients.size() > MOST_CLIENTS)) {
        eldest.remove();
      }
      return client;
    }
  }

  /** How many clients are kept. */
  int clients() {
    synchronized (clients) {
      return clients.size();
    }
  }
}
