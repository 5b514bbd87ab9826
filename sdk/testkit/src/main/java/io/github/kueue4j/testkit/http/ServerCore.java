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
package io.github.kueue4j.testkit.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.access.Identification;
import io.github.kueue4j.testkit.access.User;
import io.github.kueue4j.testkit.admission.AdmissionChain;
import io.github.kueue4j.testkit.admission.PolicyAdmission;
import io.github.kueue4j.testkit.admission.WebhookAdmission;
import io.github.kueue4j.testkit.discovery.Discovery;
import io.github.kueue4j.testkit.discovery.OpenApi;
import io.github.kueue4j.testkit.discovery.OpenApiV2;
import io.github.kueue4j.testkit.gc.GarbageCollector;
import io.github.kueue4j.testkit.kinds.BuiltInKinds;
import io.github.kueue4j.testkit.kinds.CustomResourceDefinition;
import io.github.kueue4j.testkit.kinds.ResourceRegistry;
import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.kinds.VersionConverter;
import io.github.kueue4j.testkit.objects.Admission;
import io.github.kueue4j.testkit.objects.Deletion;
import io.github.kueue4j.testkit.objects.Identities;
import io.github.kueue4j.testkit.objects.ObjectOperations;
import io.github.kueue4j.testkit.objects.WriteOptions;
import io.github.kueue4j.testkit.status.ApiException;
import io.github.kueue4j.testkit.store.Change;
import io.github.kueue4j.testkit.store.Key;
import io.github.kueue4j.testkit.store.KindStore;
import io.github.kueue4j.testkit.store.ObjectStore;
import io.github.kueue4j.testkit.traffic.ApiRequest;
import io.github.kueue4j.testkit.traffic.Faults;
import io.github.kueue4j.testkit.traffic.RequestCounters;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import io.github.kueue4j.testkit.tree.Trees;
import io.github.kueue4j.testkit.webhook.ClientConfig;
import io.github.kueue4j.testkit.webhook.ConversionWebhook;
import io.github.kueue4j.testkit.webhook.Services;
import io.github.kueue4j.testkit.webhook.WebhookClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The parts of the embedded server put together, and the listener in front of them. */
@API(status = API.Status.INTERNAL)
public final class ServerCore implements AutoCloseable {
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  /** How the objects of YAML texts are written: by somebody with a name of its own. */
  private static final WriteOptions APPLIED =
      new WriteOptions(
          false, WriteOptions.FieldValidation.IGNORE, "kueue4j-testkit", User.ADMINISTRATOR);

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
   */
  public record Settings(
      int port,
      InstantSource clock,
      int historyWindow,
      Duration bookmarkInterval,
      List<String> initial,
      Consumer<ApiRequest> onRequest,
      boolean secure) {
    public Settings {
      initial = List.copyOf(initial);
    }
  }

  private final RequestCounters requests = new RequestCounters();
  private final OpenWatches watches = new OpenWatches();
  private final ResourceRegistry registry = new ResourceRegistry(BuiltInKinds.all());
  private final Services services = new Services();
  private final WebhookClient webhooks = new WebhookClient(services);
  private final Faults faults = new Faults(new FaultTarget());
  private final VersionConverter.Webhooks conversions;
  private final ObjectStore store;
  private final ObjectOperations objects;
  private final GarbageCollector garbage;
  private final Server jetty;
  private final ServerConnector connector;
  private final List<String> initial;
  private final Identification identification;
  private final @Nullable SecurePort securePort;
  private volatile int port;

  public ServerCore(Settings settings) {
    InstantSource clock = settings.clock();
    this.initial = settings.initial();
    this.store = new ObjectStore(settings.historyWindow());
    SecureRandom random = new SecureRandom();
    Identities identities = new Identities(random);
    this.conversions =
        conversion ->
            new ConversionWebhook(
                webhooks, ClientConfig.read(conversion.path("clientConfig")), identities::uid);
    Admission admission =
        new AdmissionChain(
            List.of(
                new PolicyAdmission(store, registry),
                new WebhookAdmission(store, registry, webhooks, identities::uid)));
    this.objects = new ObjectOperations(store, clock, identities, admission);
    this.identification = new Identification(random);
    Deletion deletion = new Deletion(store, clock, admission);
    this.garbage = new GarbageCollector(store, registry, objects, deletion);
    store.observe(this::serveDefinitions);
    store.observe(garbage::changed);
    ReadHandler reads = new ReadHandler(store, objects, clock);
    Gate gate = new Gate(store, identification);
    ApiHandler handler =
        new ApiHandler(
            registry,
            faults,
            requests,
            settings.onRequest(),
            gate,
            reads,
            new WatchHandler(reads, objects, faults, watches, settings.bookmarkInterval()),
            new WriteHandler(
                reads, objects, deletion, new PodSubresources(objects, deletion, clock)),
            new PathHandler(
                new Discovery(registry),
                new OpenApi(registry),
                new OpenApiV2(registry),
                new MetricsPage(requests, store, watches)),
            new Reviews(gate, identification));
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setName("embedded-api");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("api-"));
    this.jetty = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    this.connector = new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(settings.port());
    connector.setIdleTimeout(Duration.ofHours(1).toMillis());
    jetty.addConnector(connector);
    this.securePort = settings.secure() ? SecurePort.of(jetty, random) : null;
    jetty.setHandler(handler);
    jetty.setErrorHandler(new StatusErrorHandler());
    jetty.setStopTimeout(0);
  }

  /** Makes a definition's resources served before anybody can see the definition. */
  private void serveDefinitions(KindStore kind, Change change) {
    if (!kind.name().equals(BuiltInKinds.DEFINITIONS)) {
      return;
    }
    String name = change.object().key().name();
    if (change.type() == Change.Type.DELETED) {
      registry.uninstall(name);
      return;
    }
    switch (CustomResourceDefinition.read(change.object().tree(), conversions)) {
      case CustomResourceDefinition.Accepted accepted ->
          registry.install(name, accepted.resources());
      case CustomResourceDefinition.Refused refused ->
          throw new IllegalStateException(
              "a stored CustomResourceDefinition is invalid: " + refused.errors());
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
      jetty.start();
      port = connector.getLocalPort();
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(
          "cannot listen on 127.0.0.1:" + connector.getPort() + "; choose another port", e);
    } catch (IllegalArgumentException e) {
      close();
      throw e;
    } catch (Exception e) {
      close();
      throw new IllegalStateException("the embedded API server did not start", e);
    }
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  public int port() {
    return port;
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
    for (JsonNode document : Body.documents(yaml)) {
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
                        "cannot apply "
                            + what
                            + ": "
                            + Trees.text(object, "apiVersion")
                            + " has no such kind here; apply its CustomResourceDefinition first"));
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
    watches.drop(RequestMatcher.everything());
    try {
      jetty.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded API server did not stop", e);
    } finally {
      garbage.close();
      webhooks.close();
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
