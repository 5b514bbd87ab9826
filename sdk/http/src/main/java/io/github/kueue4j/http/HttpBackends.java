// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.net.Proxy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.apiguardian.api.API;

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
  private static final int IDLE_CONNECTIONS = 16;

  private final Credentials credentials;
  private final OkHttpClient base;

  // Guarded by this object's monitor; nothing slow happens in it.
  private final Map<Trust, OkHttpClient> clients =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Trust, OkHttpClient> eldest) {
          return size() > MOST_CLIENTS;
        }
      };

  private HttpBackends(SecretTexts secrets, AddressRules rules, boolean filesAllowed) {
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
    return new HttpBackends(secrets, rules, false);
  }

  /**
   * Backends whose endpoints may name files of the controller's container, such as a token that is
   * projected into it. An author of an endpoint can then have such a file sent to a server.
   */
  public static HttpBackends withFiles(SecretTexts secrets, AddressRules rules) {
    return new HttpBackends(secrets, rules, true);
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
    synchronized (clients) {
      OkHttpClient known = clients.get(trust);
      if (known != null) {
        return known;
      }
    }
    OkHttpClient.Builder builder = base.newBuilder();
    trust.applyTo(builder);
    OkHttpClient client = builder.build();
    synchronized (clients) {
      clients.put(trust, client);
    }
    return client;
  }
}
