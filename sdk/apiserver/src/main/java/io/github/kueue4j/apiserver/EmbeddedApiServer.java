// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver;

import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.http.DirectRequest;
import io.github.kueue4j.apiserver.http.ServerCore;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server in this process: real HTTP on the loopback address, objects in memory,
 * everyone is administrator unless asked otherwise. It serves the built-in kinds that batch
 * controllers use and every CustomResourceDefinition applied to it.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
 *   server.apply(yamlOfCrdsAndObjects);
 *   // point any Kubernetes client at server.uri()
 * }
 * }</pre>
 *
 * Thread-safe. {@link #close} ends every thread and connection that it started.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class EmbeddedApiServer implements AutoCloseable {
  private final ServerCore core;
  private final AtomicInteger grants = new AtomicInteger();

  private EmbeddedApiServer(Builder builder) {
    this.core = new ServerCore(builder.settings());
  }

  /** Starts a server on a free port with the system's clock. */
  public static EmbeddedApiServer start() {
    return builder().start();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The base URL, such as {@code http://127.0.0.1:41234}. */
  public URI uri() {
    return core.uri();
  }

  public int port() {
    return core.port();
  }

  /**
   * Creates the objects in a YAML text (documents separated by {@code ---}), or replaces those that
   * exist, as a user with every right would. CustomResourceDefinitions are served when this
   * returns.
   *
   * @throws IllegalArgumentException if the server refuses an object; the message names the object
   *     and the server's reason. Objects before it stay applied.
   */
  public void apply(String yaml) {
    core.apply(yaml);
  }

  /** Applies several YAML texts in order, see {@link #apply}; meant for CRDs. */
  public void applyCrds(Iterable<String> yamls) {
    yamls.forEach(this::apply);
  }

  /**
   * Lets all clients in, see {@link Builder#heldBack}; they were let in already if the server
   * wasn't held back.
   */
  public void open() {
    core.open();
  }

  /**
   * The base URL for the parts of the cluster, which are served also while the server is held back;
   * {@link #uri} if it never was, see {@link Builder#heldBack}.
   */
  public URI innerUri() {
    return core.innerUri();
  }

  /** A kubeconfig for this server, as YAML. */
  public String kubeconfig() {
    return kubeconfig(uri());
  }

  private static String kubeconfig(URI address) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: embedded
      cluster:
        server: %s
    users:
    - name: admin
      user: {}
    contexts:
    - name: embedded
      context:
        cluster: embedded
        user: admin
    current-context: embedded
    """
        .formatted(address);
  }

  /**
   * Writes {@link #kubeconfig()} to a file, replacing what is there.
   *
   * @return the same path
   * @throws UncheckedIOException if the file can't be written
   */
  public Path kubeconfig(Path file) {
    return write(file, kubeconfig());
  }

  /**
   * Writes a kubeconfig for the parts of the cluster to a file, replacing what is there; see {@link
   * #innerUri}.
   *
   * @return the same path
   * @throws UncheckedIOException if the file can't be written
   */
  public Path innerKubeconfig(Path file) {
    return write(file, kubeconfig(innerUri()));
  }

  /**
   * The base URL of the HTTPS port, where each request needs a token and a role that allows it.
   *
   * @throws IllegalStateException if the server has none, see {@link Builder#secure}
   */
  public URI secureUri() {
    return core.securePort().uri();
  }

  /**
   * A kubeconfig, as YAML, for the HTTPS port and this user, who may do there what the stored roles
   * of {@code rbac.authorization.k8s.io} allow. Every call gives the user one more token.
   *
   * @throws IllegalStateException if the server has no HTTPS port, see {@link Builder#secure}
   */
  public String kubeconfig(User user) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: embedded
      cluster:
        server: %s
        certificate-authority-data: %s
    users:
    - name: user
      user:
        token: %s
    contexts:
    - name: embedded
      context:
        cluster: embedded
        user: user
    current-context: embedded
    """
        .formatted(
            secureUri(),
            Base64.getEncoder()
                .encodeToString(core.securePort().authority().getBytes(StandardCharsets.US_ASCII)),
            token(user));
  }

  /**
   * One more bearer token of this user, as in {@link #kubeconfig(User)}: the HTTPS port accepts it,
   * and a TokenReview names the user.
   */
  public String token(User user) {
    return core.tokenFor(user);
  }

  /**
   * Permits this user what a rule says, with a new ClusterRole and a new ClusterRoleBinding.
   *
   * @param rule a rule of a ClusterRole, in YAML, such as {@code {apiGroups: [""], resources:
   *     [pods], verbs: [get]}}
   */
  public void grant(User user, String rule) {
    apply(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: %1$s}
        rules: [%2$s]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: %1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%3$s"}]
        """
            .formatted("granted-" + grants.incrementAndGet(), rule, user.name()));
  }

  /**
   * Writes {@link #kubeconfig(User)} to a file, replacing what is there.
   *
   * @return the same path
   * @throws UncheckedIOException if the file can't be written
   */
  public Path kubeconfig(Path file, User user) {
    return write(file, kubeconfig(user));
  }

  private static Path write(Path file, String kubeconfig) {
    try {
      return Files.writeString(file, kubeconfig);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the kubeconfig " + file, e);
    }
  }

  /**
   * Sends what webhooks get through this service to a port of the loopback address, from now on.
   * Without it the server knows no way to a service, since no pods run behind it. The certificate
   * there must be for {@code NAME.NAMESPACE.svc}.
   *
   * @param port TCP port, 1 to 65535
   */
  public void routeService(String namespace, String name, int port) {
    core.services().route(namespace, name, port);
  }

  /** Ways to disturb clients. */
  public Faults faults() {
    return core.faults();
  }

  /** What was asked of the server so far. */
  public RequestCounters requests() {
    return core.requests();
  }

  /**
   * The revision of the newest change of a kind's objects, deletions included; 0 if there was none,
   * empty if the kind isn't served. While it stays, a client that has heard of everything needn't
   * look again.
   */
  @API(status = API.Status.INTERNAL)
  public Optional<Long> newest(String group, String plural) {
    return core.stored(group, plural).map(KindStore::newest);
  }

  /**
   * The resourceVersion of each object of a kind, by {@code namespace/name} or {@code name}. Unlike
   * a list it is no request, and takes no time in a simulation.
   */
  @API(status = API.Status.INTERNAL)
  public Map<String, String> resourceVersions(String group, String plural) {
    Map<String, String> versions = new HashMap<>();
    core.stored(group, plural).stream()
        .flatMap(kind -> kind.current("").stream())
        .forEach(object -> versions.put(object.key().toString(), Long.toString(object.revision())));
    return versions;
  }

  /**
   * Answers a request that comes by no network, on the current thread; returns when the answer is
   * complete, which for a watch may take long.
   *
   * @throws ConnectException while connections are refused
   */
  @API(status = API.Status.INTERNAL)
  public void answer(DirectRequest request) throws ConnectException {
    core.answer(request);
  }

  /** Ends all connections and forgets all objects; a second call does nothing. */
  @Override
  public void close() {
    core.close();
  }

  /** Settings of a server that is to be started; every setting has a default. */
  public static final class Builder {
    private int port;
    private InstantSource clock = Clock.systemUTC();
    private int historyWindow = 10_000;
    private Duration bookmarkInterval = Duration.ofSeconds(5);
    private final List<String> initial = new ArrayList<>();
    private Consumer<ApiRequest> onRequest = request -> {};
    private boolean secure;
    private boolean heldBack;
    private boolean keepsOrphans;
    private Duration webhookPatience = Duration.ZERO;
    private boolean kubelets;
    private @Nullable RandomGenerator random;
    private boolean networked = true;

    private Builder() {}

    /** The TCP port on loopback, 1 to 65535, or 0 (default) for any free one. */
    public Builder port(int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port must be within 0..65535, was " + port);
      }
      this.port = port;
      return this;
    }

    /** Where creation and deletion timestamps come from; default: the system's clock. */
    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    /**
     * How many changes per resource a watch can resume over before it gets 410; at least 1, default
     * 10,000.
     */
    public Builder historyWindow(int changes) {
      if (changes < 1) {
        throw new IllegalArgumentException("historyWindow must be at least 1, was " + changes);
      }
      this.historyWindow = changes;
      return this;
    }

    /** Real time between two bookmarks on an idle watch; default 5 s. */
    public Builder bookmarkInterval(Duration interval) {
      if (interval.isNegative() || interval.isZero()) {
        throw new IllegalArgumentException("bookmarkInterval must be positive, was " + interval);
      }
      this.bookmarkInterval = interval;
      return this;
    }

    /**
     * YAML texts to {@link EmbeddedApiServer#apply} in this order before the port opens: no client
     * ever sees the server without them. Meant for CRDs; several calls add up.
     */
    public Builder objects(List<String> yamls) {
      initial.addAll(yamls);
      return this;
    }

    /**
     * Opens an HTTPS port too, a free one, with a certificate of its own: there clients need a
     * token, and the roles stored on the server say what they may do. The plain port stays open to
     * everyone as administrator.
     */
    public Builder secure() {
      secure = true;
      return this;
    }

    /**
     * Answers every request on the port with 503 and {@code Retry-After}, until {@link
     * EmbeddedApiServer#open}: a client that finds the server ready, by {@code /readyz} or by any
     * other answer, finds the rest of the cluster too. Its parts, such as the controllers behind
     * webhooks, connect to {@link EmbeddedApiServer#innerUri} meanwhile and later.
     */
    public Builder heldBack() {
      heldBack = true;
      return this;
    }

    /**
     * Keeps objects whose owners are gone: what clients see on a cluster whose garbage collector
     * lags or doesn't run.
     */
    public Builder keepsOrphans() {
      keepsOrphans = true;
      return this;
    }

    /**
     * Leaves pods on nodes to kubelets: a deletion only marks them, with the time that they have to
     * end, and the client that plays the kubelet removes them, by a deletion with a grace period of
     * 0. Without this setting a deletion removes such pods at once, as it does others.
     */
    public Builder kubelets() {
      kubelets = true;
      return this;
    }

    /**
     * The source from which uids and generated names are drawn, by several threads; default: a
     * secure source.
     */
    @API(status = API.Status.INTERNAL)
    public Builder random(RandomGenerator source) {
      random = source;
      return this;
    }

    /**
     * Gives each call of a webhook at least this time, whatever its registration says: for tests on
     * machines that may stand still for as long as a registration allows.
     *
     * @param atLeast in real time; default: nothing
     */
    public Builder webhookPatience(Duration atLeast) {
      webhookPatience = atLeast;
      return this;
    }

    /** Opens no port: the only way to the server is {@link EmbeddedApiServer#answer}. */
    @API(status = API.Status.INTERNAL)
    public Builder withoutNetwork() {
      networked = false;
      return this;
    }

    /**
     * Shown every request before it is carried out, on the request's own thread: several at a time.
     */
    public Builder onRequest(Consumer<ApiRequest> observer) {
      onRequest = observer;
      return this;
    }

    /**
     * Starts the server.
     *
     * @throws UncheckedIOException if the port can't be bound
     * @throws IllegalArgumentException if one of the initial {@link #objects} is refused
     */
    public EmbeddedApiServer start() {
      EmbeddedApiServer server = new EmbeddedApiServer(this);
      server.core.start();
      return server;
    }

    private ServerCore.Settings settings() {
      return new ServerCore.Settings(
          port,
          clock,
          historyWindow,
          bookmarkInterval,
          initial,
          onRequest,
          secure,
          heldBack,
          keepsOrphans,
          kubelets,
          random,
          networked,
          webhookPatience);
    }
  }
}
