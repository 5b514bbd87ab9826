// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.Identification;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.admission.AdmissionChain;
import io.github.kueue4j.apiserver.admission.PolicyAdmission;
import io.github.kueue4j.apiserver.admission.WebhookAdmission;
import io.github.kueue4j.apiserver.discovery.Discovery;
import io.github.kueue4j.apiserver.discovery.OpenApi;
import io.github.kueue4j.apiserver.discovery.OpenApiV2;
import io.github.kueue4j.apiserver.gc.GarbageCollector;
import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.CustomResourceDefinition;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.kinds.VersionConverter;
import io.github.kueue4j.apiserver.objects.Admission;
import io.github.kueue4j.apiserver.objects.Deletion;
import io.github.kueue4j.apiserver.objects.Identities;
import io.github.kueue4j.apiserver.objects.ObjectOperations;
import io.github.kueue4j.apiserver.objects.WriteOptions;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Change;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.apiserver.tree.Trees;
import io.github.kueue4j.apiserver.webhook.ClientConfig;
import io.github.kueue4j.apiserver.webhook.ConversionWebhook;
import io.github.kueue4j.apiserver.webhook.Services;
import io.github.kueue4j.apiserver.webhook.WebhookClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The parts of the embedded server put together, and the listener in front of them. */
@API(status = API.Status.INTERNAL)
public final class ServerCore implements AutoCloseable {
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  /** The options that objects of YAML texts are written with: a field manager of their own. */
  private static final WriteOptions APPLIED =
      new WriteOptions(
          false, WriteOptions.FieldValidation.IGNORE, "kueue4j-apiserver", User.ADMINISTRATOR);

  /**
   * How a server is set up.
   *
   * @param port TCP port on loopback, 0 for any free one
   * @param clock source of creation and deletion timestamps
   * @param historyWindow changes per resource that a watch can resume over, at least 1
   * @param bookmarkInterval real time between bookmarks on an idle watch
   * @param initial YAML texts to apply before the port opens
   * @param onRequest shown every request before it is carried out
   * @param secure whether to open a second port with TLS, tokens and roles
   * @param heldBack whether the port turns clients away until {@link #open}, and a further plain
   *     port serves the parts of the cluster
   * @param keepsOrphans whether objects stay whose owners are gone
   * @param kubelets whether pods on nodes are only marked, for kubelets to remove them
   * @param random what identities are drawn from, for several threads; null for a secure source
   * @param networked whether there is a port at all, or {@link #answer} only
   * @param webhookPatience the shortest timeout of a call of a webhook
   */
  public record Settings(
      int port,
      InstantSource clock,
      int historyWindow,
      Duration bookmarkInterval,
      List<String> initial,
      Consumer<ApiRequest> onRequest,
      boolean secure,
      boolean heldBack,
      boolean keepsOrphans,
      boolean kubelets,
      @Nullable RandomGenerator random,
      boolean networked,
      Duration webhookPatience) {
    public Settings {
      initial = List.copyOf(initial);
    }
  }

  private final RequestCounters requests = new RequestCounters();
  private final OpenWatches watches = new OpenWatches(this::forbidsWatch);
  private final ResourceRegistry registry = new ResourceRegistry(BuiltInKinds.all());
  private final Services services = new Services();
  private final WebhookClient webhooks;
  private final Faults faults = new Faults(new FaultTarget());
  private final VersionConverter.Webhooks conversions;
  private final ObjectStore store;
  private final ObjectOperations objects;
  private final GarbageCollector garbage;
  private final ApiHandler handler;
  private final boolean networked;
  private final Server jetty;
  private final ServerConnector connector;
  private final List<String> initial;
  private final Identification identification;
  private final @Nullable SecurePort securePort;

  /** The port of the cluster's own parts; null if all use the same. */
  private final @Nullable ServerConnector inner;

  private volatile boolean held;

  private volatile boolean closed;

  /** Without a network: whether the server can't be reached. */
  private volatile boolean unreachable;

  private volatile int port = 1; // Without a network no client minds.

  public ServerCore(Settings settings) {
    InstantSource clock = settings.clock();
    this.initial = settings.initial();
    this.webhooks = new WebhookClient(services, settings.webhookPatience());
    this.store = new ObjectStore(settings.historyWindow());
    RandomGenerator given = settings.random();
    RandomGenerator random = given == null ? new SecureRandom() : given;
    this.networked = settings.networked();
    Identities identities = new Identities(random);
    this.conversions =
        conversion ->
            new ConversionWebhook(
                webhooks, ClientConfig.read(conversion.path("clientConfig")), identities::uid);
    this.identification = new Identification(random);
    Authorizer authorizer = new Authorizer(store, identification);
    Admission admission =
        new AdmissionChain(
            List.of(
                new PolicyAdmission(store, registry, authorizer::access),
                new WebhookAdmission(
                    store, registry, authorizer::access, webhooks, identities::uid)));
    this.objects = new ObjectOperations(store, clock, identities, admission);
    Deletion deletion = new Deletion(store, clock, admission, settings.kubelets());
    this.garbage =
        new GarbageCollector(store, registry, objects, deletion, settings.keepsOrphans());
    store.observe(this::serveDefinitions);
    store.observe(garbage::changed);
    ReadHandler reads = new ReadHandler(store, objects, clock);
    this.handler =
        new ApiHandler(
            faults,
            requests,
            settings.onRequest(),
            authorizer,
            this::turnsAway,
            new Endpoints(
                registry,
                reads,
                new WatchHandler(reads, objects, faults, watches, settings.bookmarkInterval()),
                new WriteHandler(
                    reads, objects, deletion, new PodSubresources(objects, deletion, clock)),
                new PathHandler(
                    new Discovery(registry),
                    new OpenApi(registry),
                    new OpenApiV2(registry),
                    new MetricsPage(requests, store, watches)),
                new Reviews(authorizer, identification)));
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setName("embedded-api");
    threads.setDaemon(true);
    // Requests are answered by virtual threads.
    threads.setMinThreads(1);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("api-"));
    this.jetty = new Server(threads);
    this.connector = plain(jetty, settings.port());
    this.held = settings.heldBack();
    this.inner = settings.heldBack() ? plain(jetty, 0) : null;
    this.securePort = settings.secure() ? SecurePort.of(jetty, random) : null;
    jetty.setHandler(new JettyFront(handler));
    jetty.setErrorHandler(new StatusErrorHandler());
    jetty.setStopTimeout(0);
  }

  /** Adds a listener in plain HTTP to a server that hasn't started. */
  private static ServerConnector plain(Server jetty, int port) {
    ServerConnector connector = new PlainConnector(jetty, port);
    jetty.addConnector(connector);
    return connector;
  }

  private boolean turnsAway(Connection connection) {
    return held && (inner == null || connection.localPort() != inner.getLocalPort());
  }

  private boolean forbidsWatch(ApiRequest watch) {
    return closed
        || unreachable
        || registry.find(watch.group(), watch.version(), watch.resource()).isEmpty();
  }

  /** Serves a definition's resources before a client can see the definition. */
  private void serveDefinitions(KindStore kind, Change change) {
    if (!kind.name().equals(BuiltInKinds.DEFINITIONS)) {
      return;
    }
    String name = change.object().key().name();
    if (change.changeType() == Change.ChangeType.DELETED) {
      registry.uninstall(name);
      // As on a real server, where it then finds that the resource isn't served.
      watches.drop(request -> name.equals(request.resource() + '.' + request.group()));
      return;
    }
    switch (CustomResourceDefinition.read(change.object().tree(), conversions)) {
      case CustomResourceDefinition.Accepted accepted ->
          registry.install(name, accepted.resources());
      case CustomResourceDefinition.InvalidDefinition invalidDefinition ->
          throw new IllegalStateException(
              "a stored CustomResourceDefinition is invalid: " + invalidDefinition.errors());
    }
  }

  /** Opens the port, once everything that shall be there from the beginning is served. */
  public void start() {
    ServedResource namespaces = registry.stored(BuiltInKinds.NAMESPACES).orElseThrow();
    for (String name : NAMESPACES) {
      ObjectNode namespace = Trees.empty();
      namespace.put("apiVersion", "v1").put("kind", "Namespace");
      namespace.putObject("metadata").put("name", name);
      objects.create(namespaces, "", namespace, WriteOptions.INTERNAL);
    }
    try {
      if (securePort != null) {
        apply(SecurePort.DEFAULT_ROLES);
      }
      initial.forEach(this::apply);
      garbage.start();
      if (networked) {
        jetty.start();
        port = connector.getLocalPort();
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(notFree(connector.getPort()), e);
    } catch (IllegalArgumentException e) {
      close();
      throw e;
    } catch (Exception e) {
      close();
      throw new IllegalStateException("the embedded API server did not start", e);
    }
  }

  /** Port 0 stands for any. */
  private static String notFree(int port) {
    return port == 0
        ? "cannot listen on 127.0.0.1: no port is free; end what holds so many"
        : "cannot listen on 127.0.0.1:" + port + ": the port is taken; choose another one, or 0";
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  public int port() {
    return port;
  }

  /**
   * Answers a request that comes by no network, on the current thread; returns when the answer is
   * complete.
   *
   * @throws ConnectException while connections are refused
   */
  public void answer(DirectRequest request) throws ConnectException {
    if (unreachable) {
      throw new ConnectException("the server refuses connections");
    }
    handler.handle(new DirectConnection(request));
  }

  /** The objects of a kind, which all its versions share; empty if none of these is served. */
  public Optional<KindStore> stored(String group, String plural) {
    return registry
        .findAny(group, plural)
        .map(ServedResource::storageName)
        .filter(name -> !name.isEmpty())
        .map(store::kind);
  }

  /** Lets all clients in; a second call does nothing. */
  public void open() {
    held = false;
  }

  /** The base URL for the parts of the cluster, which are served before all others. */
  public URI innerUri() {
    return inner == null ? uri() : URI.create("http://127.0.0.1:" + inner.getLocalPort());
  }

  /** The second port with TLS, tokens and roles. */
  public SecurePort securePort() {
    if (securePort == null) {
      throw new IllegalStateException("the server has no HTTPS port; build it with secure()");
    }
    return securePort;
  }

  /** Where the services that webhooks name are. */
  public Services services() {
    return services;
  }

  /** A new token by which this user is known on the secure port. */
  public String tokenFor(User user) {
    return identification.tokenFor(user);
  }

  public Faults faults() {
    return faults;
  }

  public RequestCounters requests() {
    return requests;
  }

  /** Creates or replaces the objects of a YAML text. */
  public void apply(String yaml) {
    for (JsonNode document : ParsedDefinitions.documents(yaml)) {
      if (!(document instanceof ObjectNode object)) {
        throw new IllegalArgumentException("a YAML document is no object: " + document);
      }
      if (Trees.text(object, "kind").equals("List")) {
        for (JsonNode item : object.path("items")) {
          if (item instanceof ObjectNode itemObject) {
            applyObject(itemObject);
          }
        }
      } else {
        applyObject(object);
      }
    }
  }

  private void applyObject(ObjectNode object) {
    String what =
        Trees.text(object, "kind") + " " + Trees.namespace(object) + "/" + Trees.name(object);
    ServedResource resource =
        registry
            .findKind(Trees.text(object, "apiVersion"), Trees.text(object, "kind"))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "cannot apply %s: %s has no such kind here; apply its CustomResourceDefinition first"
                            .formatted(what, Trees.text(object, "apiVersion"))));
    String namespace = Trees.namespace(object);
    if (resource.namespaced() && namespace.isEmpty()) {
      namespace = "default";
    }
    Key key = new Key(namespace, Trees.name(object));
    try {
      if (objects.storeOf(resource).get(key).isEmpty()) {
        objects.create(resource, namespace, object, APPLIED);
      } else {
        objects.patch(resource, key, "", current -> replaced(current, object), "", APPLIED);
      }
    } catch (ApiException e) {
      throw new IllegalArgumentException("cannot apply " + what + ": " + e.text(), e);
    }
  }

  private static ObjectNode replaced(ObjectNode current, ObjectNode wanted) {
    ObjectNode metadata = Trees.fresh(Trees.metadata(wanted));
    // What others added to metadata stays, as it would with kubectl apply.
    for (String field : List.of("finalizers", "ownerReferences")) {
      if (!metadata.has(field) && Trees.metadata(current).has(field)) {
        metadata.set(field, Trees.metadata(current).get(field));
      }
    }
    return Trees.withMetadata(wanted, metadata);
  }

  @Override
  public void close() {
    faults.clear();
    closed = true;
    watches.drop(RequestMatcher.everything());
    try {
      jetty.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded API server did not stop", e);
    } finally {
      Stream.of(jetty.getConnectors()).forEach(ServerCore::closePort);
      garbage.close();
      webhooks.close();
    }
  }

  /**
   * Closes a port of a server that did not start, of which Jetty leaves those ports open that were
   * free.
   */
  private static void closePort(Connector connector) {
    if (connector.getTransport() instanceof ServerSocketChannel channel) {
      IO.close(channel);
    }
  }

  private final class FaultTarget implements Faults.Target {
    @Override
    public int dropWatches(RequestMatcher matcher) {
      return watches.drop(matcher);
    }

    @Override
    public void expireHistory() {
      store.expireHistory();
    }

    @Override
    public void acceptConnections(boolean accept) {
      if (!networked) {
        unreachable = !accept;
        if (unreachable) {
          watches.drop(RequestMatcher.everything());
        }
        return;
      }
      try {
        if (accept) {
          connector.setPort(port);
          connector.start();
        } else {
          watches.drop(RequestMatcher.everything());
          connector.stop();
        }
      } catch (Exception e) {
        throw new IllegalStateException("the listener on port " + port + " did not change", e);
      }
    }
  }
}
