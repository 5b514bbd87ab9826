// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import okhttp3.OkHttpClient;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one API server: its URL, the credentials, and two HTTP clients.
 *
 * <p>Ordinary calls and watches have a client each. A watch may be silent for minutes, so its
 * client has no read timeout; a call must not hang, so its client has one. With one shared client
 * (as the official informer factory requires) no call would have a timeout.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterConnection implements AutoCloseable {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  private final URI server;
  private final String namespace;
  private final ClientProcess process;
  private final boolean ownsWireTime;
  private final OkHttpClient calls;
  private final OkHttpClient watches;
  private final @Nullable RequestLimit limit;
  private final HttpApi api;

  private ClusterConnection(
      URI server,
      String namespace,
      ClientProcess process,
      boolean ownsWireTime,
      OkHttpClient calls,
      OkHttpClient watches,
      @Nullable RequestLimit limit) {
    this.server = server;
    this.namespace = namespace;
    this.process = process;
    this.ownsWireTime = ownsWireTime;
    this.calls = calls;
    this.watches = watches;
    this.limit = limit;
    this.api = new HttpApi(new ApiTransport(server, calls, this, limit));
  }

  /**
   * The process at this end of the connection, which its views share: its name, its clocks, its
   * threads, its randomness, and what is done with an error that ends it.
   */
  private record ClientProcess(
      String component,
      TimeSource wireTime,
      InstantSource wallClock,
      FatalErrors fatalErrors,
      Threads threads,
      RandomGenerator random) {
    ClientProcess {
      wireTime = fatalErrors.guard(wireTime);
    }
  }

  /**
   * A builder of a connection.
   *
   * @param component name of the program, for example {@code kueue-core}: the reporting controller
   *     of its events, the manager of the fields that it writes, and the start of the user agent
   */
  public static Builder builder(String component) {
    return new Builder(component);
  }

  /**
   * A view of this connection with a client-side rate limit: requests beyond it wait. Leases are
   * exempt, so that a busy process doesn't lose its own. The view shares this connection's sockets
   * and need not be closed.
   *
   * @param perSecond average number of requests per second; positive
   * @param burst number of requests that may be sent at once; at least 1
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
    return view(calls, new RequestLimit(wireTime(), perSecond, burst));
  }

  /**
   * A view of this connection that refuses writes while the guard does; the leases themselves are
   * exempt. The view shares this connection's sockets and need not be closed.
   */
  public ClusterConnection guardedBy(LeaseGuard guard) {
    return view(HttpClients.before(guard::intercept, calls), limit);
  }

  private ClusterConnection view(OkHttpClient itsCalls, @Nullable RequestLimit itsLimit) {
    return new ClusterConnection(server, namespace, process, false, itsCalls, watches, itsLimit);
  }

  /** Direct access to the API server. */
  public KubernetesApi api() {
    return api;
  }

  /**
   * Requests to a Service by way of the API server, which needs {@code get} on {@code
   * services/proxy} of that name.
   *
   * @param service {@code NAME:PORT}, or {@code https:NAME:PORT}
   * @param identity how the Service learns who asks
   */
  public ServiceProxy serviceProxy(
      String namespace, String service, ServiceProxy.Identity identity) {
    return new ServiceProxy(server, watches, namespace, service, identity);
  }

  /** The URL of the API server. */
  public URI server() {
    return server;
  }

  /**
   * Whether the API server is at {@code http://} on this machine's loopback, so that every program
   * here may use it. It may be a proxy of another server.
   */
  public boolean isPlainOnLoopback() {
    return "http".equals(server.getScheme())
        && LOOPBACK.contains(Objects.requireNonNullElse(server.getHost(), ""));
  }

  /**
   * The namespace of the kubeconfig's context or of this process's pod, otherwise {@code default}.
   */
  public String namespace() {
    return namespace;
  }

  /** The name of the program, as given to {@link #builder}. */
  public String component() {
    return process.component();
  }

  /**
   * The time source of network operations, see the package's description: real time even where all
   * other time is simulated, and never set back or forward, whatever happens to the machine's
   * clock. It may differ from that. Delays that reduce the load of the API server use it.
   */
  public TimeSource wireTime() {
    return process.wireTime();
  }

  /** The machine's clock with its steps, for what others read, such as certificates and leases. */
  public InstantSource wallClock() {
    return process.wallClock();
  }

  /** What happens after an Error on a thread that is built on this connection. */
  public FatalErrors fatalErrors() {
    return process.fatalErrors();
  }

  /** Makes the threads of what is built on this connection. */
  @API(status = API.Status.INTERNAL)
  public Threads threads() {
    return process.threads();
  }

  /** Randomness for jitter between processes. */
  RandomGenerator random() {
    return process.random();
  }

  /**
   * Measures the ordinary requests of this connection and its views, once, however many want it.
   *
   * @return ends it for one of them; to be called once
   */
  @API(status = API.Status.INTERNAL)
  public Runnable measureRequests(MeterRegistry registry) {
    return RequestMeters.of(calls).recordIn(registry);
  }

  /** A transport for ordinary requests that can be cancelled together. */
  ApiTransport callsOf(Object owner) {
    return new ApiTransport(server, calls, owner, limit);
  }

  /** The same with another timeout per request. */
  @API(status = API.Status.INTERNAL)
  public ApiTransport callsOf(Object owner, Duration timeout) {
    return new ApiTransport(server, HttpClients.within(timeout, calls), owner, limit);
  }

  /** The same without the rate limit, for leases. */
  @API(status = API.Status.INTERNAL)
  public ApiTransport urgentCallsOf(Object owner, Duration timeout) {
    return new ApiTransport(server, HttpClients.within(timeout, calls), owner, null);
  }

  /** A transport for watches that can be cancelled together. */
  ApiTransport watchesOf(Object owner) {
    return new ApiTransport(server, watches, owner, limit);
  }

  /**
   * Asks the server for its version.
   *
   * @throws ClusterConnectionException if it doesn't answer or refuses the credentials
   */
  public void checkReachable() {
    try {
      api.serverVersion();
    } catch (KubernetesApiException.Unreachable e) {
      throw new ClusterConnectionException(
          "can't reach the API server at "
              + server
              + " ("
              + FailedRequest.cause(e)
              + "): start the cluster, or check the server's address in the kubeconfig",
          e);
    } catch (KubernetesApiException.Unauthorized e) {
      throw new ClusterConnectionException(
          "the API server at " + server + " refuses the credentials: renew them", e);
    }
  }

  /** Cancels all requests and watches and ends all threads. */
  @Override
  public void close() {
    HttpClients.close(watches);
    HttpClients.close(calls);
    if (ownsWireTime) {
      wireTime().close();
    }
  }

  /** Builds a connection to exactly one cluster. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    private final String component;
    private @Nullable Endpoint endpoint;
    private @Nullable TimeSource wireTime;
    private @Nullable InstantSource wallClock;
    private Duration callTimeout = Duration.ofSeconds(60);
    private FatalErrors fatalErrors = FatalErrors.endProcess();
    private Threads threads = Threads.platform();
    private RandomGenerator random = RandomGenerator.getDefault();
    private @Nullable Wire wire;

    private Builder(String component) {
      this.component = component;
    }

    /**
     * Uses a kubeconfig file, with its certificates, tokens and exec plugins.
     *
     * @param context the context's name, or null for the file's current one
     * @throws ClusterConnectionException if the file or the context is missing or invalid
     */
    public Builder kubeconfig(Path file, @Nullable String context) {
      endpoint = Endpoint.kubeconfig(file, context);
      return this;
    }

    /** {@link #auto(String)} with the current context. */
    public Builder auto() {
      return auto(null);
    }

    /**
     * Uses the cluster that kubectl would: the files of the variable {@code KUBECONFIG}, separated
     * as in {@code PATH} and merged, the first that names a thing decides; else {@code
     * ~/.kube/config}; else the service account of this process's pod.
     *
     * @param context the name of a kubeconfig's context, or null for the current one
     * @throws ClusterConnectionException if there is none of these, or the first that there is
     *     can't be used; the message says what was looked at
     */
    public Builder auto(@Nullable String context) {
      Path home = Path.of(System.getProperty("user.home", ""));
      endpoint = Endpoint.auto(System.getenv(), home, Endpoint.SERVICE_ACCOUNT, context);
      return this;
    }

    /**
     * Uses the service account of this process's pod.
     *
     * @throws ClusterConnectionException if the process doesn't run in a pod
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

    /**
     * The time source of network operations, watchdogs, backoff and leases; the caller closes it.
     * By default it goes by the machine's monotonic clock.
     */
    public Builder wireTime(TimeSource time) {
      wireTime = time;
      return this;
    }

    /**
     * Sets the reaction to an Error on a thread that is built on this connection; by default the
     * process ends.
     */
    public Builder fatalErrors(FatalErrors errors) {
      fatalErrors = errors;
      return this;
    }

    /**
     * Sets the factory of the threads of the parts that are built on the connection, for
     * simulations.
     */
    @API(status = API.Status.INTERNAL)
    public Builder threads(Threads made) {
      threads = made;
      return this;
    }

    /**
     * Sets the source that jitter between processes is drawn from, by several threads at a time.
     */
    @API(status = API.Status.INTERNAL)
    public Builder random(RandomGenerator dice) {
      random = dice;
      return this;
    }

    /** Sets the carrier of requests in place of the network, for simulations. */
    @API(status = API.Status.INTERNAL)
    public Builder wire(Wire carrier) {
      wire = carrier;
      return this;
    }

    /** The machine's clock, with its steps; default the system's. */
    public Builder wallClock(InstantSource clock) {
      wallClock = clock;
      return this;
    }

    /** The timeout of an ordinary request, including the connection setup; default 60 s. */
    public Builder callTimeout(Duration timeout) {
      callTimeout = timeout;
      return this;
    }

    /**
     * Creates the connection without a request to the server.
     *
     * @throws IllegalStateException if no cluster was chosen
     */
    public ClusterConnection open() {
      if (endpoint == null) {
        throw new IllegalStateException(
            "no cluster chosen for " + component + ": call auto, kubeconfig, inCluster or url");
      }
      InstantSource wall = wallClock == null ? TimeSource.wallClock() : wallClock;
      OkHttpClient base = HttpClients.base(endpoint, component);
      return new ClusterConnection(
          endpoint.server(),
          endpoint.namespace(),
          new ClientProcess(
              component,
              wireTime == null ? TimeSource.scaled(wall.instant(), 1) : wireTime,
              wall,
              fatalErrors,
              threads,
              random),
          wireTime == null,
          carried(HttpClients.forCalls(base, endpoint.server(), callTimeout)),
          carried(HttpClients.forWatches(base)),
          null);
    }

    private OkHttpClient carried(OkHttpClient client) {
      return wire == null ? client : HttpClients.over(wire, client);
    }

    /**
     * Creates the connection and checks that the server answers.
     *
     * @throws ClusterConnectionException if it doesn't answer or refuses the credentials
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
