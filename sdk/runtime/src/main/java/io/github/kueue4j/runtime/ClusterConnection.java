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

import io.github.kueue4j.api.time.TimeSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;
import okhttp3.OkHttpClient;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one API server: where it is, who we are, and two HTTP clients.
 *
 * <p>Ordinary calls and watches have a client each. A watch must be allowed to stay silent for
 * minutes, so its client has no read timeout; a call must not hang, so its client has one. Sharing
 * one client (as the official informer factory demands) would unbound every call.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterConnection implements AutoCloseable {

  private final URI server;
  private final String namespace;
  private final String component;
  private final TimeSource wireTime;
  private final boolean ownsWireTime;
  private final OkHttpClient calls;
  private final OkHttpClient watches;
  private final @Nullable RequestLimit limit;
  private final HttpApi api;
  private final RandomGenerator random = RandomGenerator.getDefault();

  private ClusterConnection(
      URI server,
      String namespace,
      String component,
      TimeSource wireTime,
      boolean ownsWireTime,
      OkHttpClient calls,
      OkHttpClient watches,
      @Nullable RequestLimit limit) {
    this.server = server;
    this.namespace = namespace;
    this.component = component;
    this.wireTime = wireTime;
    this.ownsWireTime = ownsWireTime;
    this.calls = calls;
    this.watches = watches;
    this.limit = limit;
    this.api = new HttpApi(new ApiTransport(server, calls, this, limit));
  }

  /**
   * Starts to describe a connection.
   *
   * @param component who connects, for example {@code kueue-core}; goes into the user agent and
   *     events
   */
  public static Builder builder(String component) {
    return new Builder(component);
  }

  /**
   * This connection for somebody who shall not send more than so many requests: those beyond wait
   * for their turn. Leases are exempt, so that a busy process doesn't lose its own. It shares this
   * connection's sockets and need not be closed.
   *
   * @param perSecond requests per second in the long run; positive
   * @param burst requests that may come at once; at least 1
   */
  public ClusterConnection limited(double perSecond, int burst) {
    if (!(perSecond > 0) || burst < 1) {
      throw new IllegalArgumentException(
          "the limit of requests must be positive but is "
              + perSecond
              + " per second, at most "
              + burst
              + " at once");
    }
    return new ClusterConnection(
        server,
        namespace,
        component,
        wireTime,
        false,
        calls,
        watches,
        new RequestLimit(wireTime, perSecond, burst));
  }

  /** The API server, spoken to directly. */
  public KubernetesApi api() {
    return api;
  }

  /** Where the API server is. */
  public URI server() {
    return server;
  }

  /** The namespace of the kubeconfig's context or of the pod we run in, else {@code default}. */
  public String namespace() {
    return namespace;
  }

  /** Who connects, as given to {@link #builder}. */
  public String component() {
    return component;
  }

  /**
   * The time that sockets live in, see the package's description: real time, also where everything
   * else is simulated. What spares the API server goes by it.
   */
  public TimeSource wireTime() {
    return wireTime;
  }

  /** Randomness for jitter between processes. */
  RandomGenerator random() {
    return random;
  }

  /** A way to send ordinary requests that can be cancelled together. */
  ApiTransport callsOf(Object owner) {
    return new ApiTransport(server, calls, owner, limit);
  }

  /** The same with another limit for the time of one request. */
  ApiTransport callsOf(Object owner, Duration timeout) {
    return new ApiTransport(server, calls.newBuilder().callTimeout(timeout).build(), owner, limit);
  }

  /** The same for requests that wait for nobody else's: leases. */
  ApiTransport urgentCallsOf(Object owner, Duration timeout) {
    return new ApiTransport(server, calls.newBuilder().callTimeout(timeout).build(), owner, null);
  }

  /** A way to open watches that can be cancelled together. */
  ApiTransport watchesOf(Object owner) {
    return new ApiTransport(server, watches, owner, limit);
  }

  /**
   * Asks the server for its version.
   *
   * @throws ClusterConnectionException if it can't be reached or refuses the credentials
   */
  public void checkReachable() {
    try {
      api.serverVersion();
    } catch (KubernetesApiException.Unreachable e) {
      throw new ClusterConnectionException(
          "can't reach the API server at "
              + server
              + " ("
              + HttpApi.cause(e)
              + "): start the cluster, or check the server's address in the kubeconfig",
          e);
    } catch (KubernetesApiException.Unauthorized e) {
      throw new ClusterConnectionException(
          "the API server at " + server + " refuses our credentials: renew them", e);
    }
  }

  /** Ends all requests and watches; no thread stays. */
  @Override
  public void close() {
    HttpClients.close(watches);
    HttpClients.close(calls);
    if (ownsWireTime) {
      wireTime.close();
    }
  }

  /** Describes a connection; exactly one of kubeconfig, in-cluster and URL. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    private final String component;
    private @Nullable Endpoint endpoint;
    private @Nullable TimeSource wireTime;
    private Duration callTimeout = Duration.ofSeconds(60);

    private Builder(String component) {
      this.component = component;
    }

    /**
     * Uses a kubeconfig file, with its certificates, tokens and exec plugins.
     *
     * @param context the context's name, or null for the file's current one
     * @throws ClusterConnectionException if the file or the context is missing or unusable
     */
    public Builder kubeconfig(Path file, @Nullable String context) {
      endpoint = Endpoint.kubeconfig(file, context);
      return this;
    }

    /**
     * Uses the service account of the pod that we run in.
     *
     * @throws ClusterConnectionException if this is no pod
     */
    public Builder inCluster() {
      endpoint = Endpoint.inCluster(System.getenv(), Endpoint.SERVICE_ACCOUNT);
      return this;
    }

    /** Uses a URL without credentials, for example a test server's on loopback. */
    public Builder url(URI url) {
      endpoint = Endpoint.url(url);
      return this;
    }

    /** What sockets, watchdogs, back-off and leases go by; the caller closes it. */
    public Builder wireTime(TimeSource time) {
      wireTime = time;
      return this;
    }

    /** The longest that one ordinary request may take, connecting included; default 60 s. */
    public Builder callTimeout(Duration timeout) {
      callTimeout = timeout;
      return this;
    }

    /**
     * Makes the connection without asking the server anything.
     *
     * @throws IllegalStateException if neither kubeconfig, in-cluster nor URL was chosen
     */
    public ClusterConnection open() {
      if (endpoint == null) {
        throw new IllegalStateException(
            "no cluster chosen for " + component + ": call kubeconfig, inCluster or url");
      }
      OkHttpClient base = HttpClients.base(endpoint, component);
      return new ClusterConnection(
          endpoint.server(),
          endpoint.namespace(),
          component,
          wireTime == null ? TimeSource.system() : wireTime,
          wireTime == null,
          HttpClients.forCalls(base, callTimeout),
          HttpClients.forWatches(base),
          null);
    }

    /**
     * {@link #open}s the connection and checks that the server answers.
     *
     * @throws ClusterConnectionException if it can't be reached or refuses the credentials
     */
    public ClusterConnection connect() {
      ClusterConnection connection = open();
      try {
        connection.checkReachable();
        return connection;
      } catch (RuntimeException e) {
        connection.close();
        throw e;
      }
    }
  }
}
