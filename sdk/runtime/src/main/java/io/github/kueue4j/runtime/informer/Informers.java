// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.TimedWait;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The informers of one process, which start and stop together.
 *
 * <p>Each informer lists in pages, watches with bookmarks, resumes where a watch ended, backs off
 * when the server refuses, and lists again when its resourceVersion has expired on the server. A
 * watch that is silent for too long counts as broken although its connection is open: the informer
 * closes it and lists again.
 *
 * <p>An object that can't be read stops no other one: it is logged once per version and counted in
 * {@link InformerHealth#unreadable}, its last readable state stays in the cache, and its deletion
 * is understood.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Informers implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /**
   * The default of the silence limit: a Kubernetes API server sends a bookmark about once a minute.
   */
  public static final Duration DEFAULT_SILENCE_LIMIT = Duration.ofSeconds(150);

  private static final Logger log = LoggerFactory.getLogger(Informers.class);

  private final ClusterConnection connection;
  private final Duration silenceLimit;
  // Guarded by this object's monitor.
  private final List<CachedInformer<?>> informers = new ArrayList<>();
  private boolean started;
  private boolean closed;

  private Informers(ClusterConnection connection, Duration silenceLimit) {
    this.connection = connection;
    this.silenceLimit = silenceLimit;
  }

  /** Informers on this connection. */
  public static Informers on(ClusterConnection connection) {
    return new Informers(connection, DEFAULT_SILENCE_LIMIT);
  }

  /**
   * Informers on this connection.
   *
   * @param silenceLimit how long a watch may be silent, in wire time; more than the server's
   *     bookmark interval, or every watch is closed and listed again
   */
  public static Informers on(ClusterConnection connection, Duration silenceLimit) {
    return new Informers(connection, silenceLimit);
  }

  /** A builder of an informer of this type. */
  public <T extends KubernetesObject> Spec<T> of(ResourceType<T> type) {
    return new Spec<>(this, type);
  }

  /** Starts all informers; those registered later start at once. */
  public synchronized void start() {
    if (closed) {
      throw new IllegalStateException("these informers are closed: create new ones");
    }
    if (!started) {
      started = true;
      informers.forEach(CachedInformer::start);
    }
  }

  /** Whether all caches are synced. */
  public boolean synced() {
    return snapshot().stream().allMatch(CachedInformer::synced);
  }

  /**
   * Waits until all caches are synced.
   *
   * @param timeout in wire time; in real time where that stands still
   * @throws InitialSyncTimeoutException if that takes longer; the message names the missing caches
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitSynced(Duration timeout) throws InterruptedException {
    TimeSource time = connection.wireTime();
    Instant began = time.instant();
    Instant last = began;
    long movedAtNanos = System.nanoTime();
    while (!synced()) {
      if (isClosed()) {
        throw new IllegalStateException("the informers were closed during the cache sync");
      }
      Instant now = time.instant();
      if (!now.isBefore(began.plus(timeout))) {
        throw new InitialSyncTimeoutException(syncReport(timeout));
      }
      if (!now.equals(last)) {
        last = now;
        movedAtNanos = System.nanoTime();
      } else if (System.nanoTime() - movedAtNanos >= timeout.toNanos()) {
        throw new InitialSyncTimeoutException(
            syncReport(timeout)
                + "; and that the wire time of the connection goes on: it stands still at "
                + last);
      }
      if (!TimedWait.pause(time, LOOK_EVERY, LOOK_EVERY)) {
        throw new IllegalStateException("the connection was closed during the cache sync");
      }
    }
    log.atInfo().addKeyValue("informers", snapshot().size()).log("All caches are synced");
  }

  private String syncReport(Duration timeout) {
    String missing =
        health().stream()
            .filter(health -> !health.synced())
            .map(h -> h.resource() + " (" + (h.lastError() == null ? "slow" : h.lastError()) + ")")
            .collect(Collectors.joining(", "));
    return "after "
        + timeout.toSeconds()
        + " s these caches are still not synced: "
        + missing
        + "; check that the CRDs are installed, that this account may list and watch them, and that"
        + " the server answers";
  }

  /** The state of each informer. */
  public List<InformerHealth> health() {
    return snapshot().stream().map(CachedInformer::health).toList();
  }

  /** The silence after which a watch counts as broken. */
  public Duration silenceLimit() {
    return silenceLimit;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  synchronized List<CachedInformer<?>> snapshot() {
    return List.copyOf(informers);
  }

  private synchronized <T extends KubernetesObject> Informer<T> register(Spec<T> spec) {
    if (closed) {
      throw new IllegalStateException("these informers are closed: create new ones");
    }
    var informer = new CachedInformer<>(connection, spec, silenceLimit);
    informers.add(informer);
    if (started) {
      informer.start();
    }
    return informer;
  }

  /** Stops all informers with their threads and watches. Handlers aren't called any more. */
  @Override
  public void close() {
    List<CachedInformer<?>> all;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      all = List.copyOf(informers);
    }
    all.forEach(CachedInformer::close);
  }

  /**
   * Builds one informer.
   *
   * @param <T> the objects' type
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Spec<T extends KubernetesObject> {
    private final Informers owner;
    private final ResourceType<T> type;
    private ListOptions selection = ListOptions.all();
    private final Map<String, Function<T, List<String>>> indexes = new LinkedHashMap<>();
    private Trim<T> trim = (read, known) -> read;
    private @Nullable BooleanSupplier optional;

    private Spec(Informers owner, ResourceType<T> type) {
      this.owner = owner;
      this.type = type;
    }

    /** Only objects of this namespace; null or empty for all. */
    public Spec<T> inNamespace(@Nullable String namespace) {
      selection =
          new ListOptions(
              namespace,
              selection.labelSelector(),
              selection.fieldSelector(),
              selection.pageSize());
      return this;
    }

    /** Only objects whose labels match. */
    public Spec<T> labelSelector(String selector) {
      selection = selection.withLabelSelector(selector);
      return this;
    }

    /** Only objects whose fields match. */
    public Spec<T> fieldSelector(String selector) {
      selection = selection.withFieldSelector(selector);
      return this;
    }

    /** Objects per list request. */
    public Spec<T> pageSize(int size) {
      selection = selection.withPageSize(size);
      return this;
    }

    /** Adds an index by the values that {@code function} returns for an object. */
    public Spec<T> index(String name, Function<T, List<String>> function) {
      indexes.put(name, function);
      return this;
    }

    /**
     * Changes every object before it is stored, usually to remove unused fields. The managed fields
     * are removed in any case.
     */
    public Spec<T> transform(UnaryOperator<T> function) {
      return trim((read, known) -> function.apply(read));
    }

    /**
     * Like {@link #transform}, which it replaces, but can reuse parts of the object's earlier
     * version.
     */
    public Spec<T> trim(Trim<T> function) {
      trim = function;
      return this;
    }

    /**
     * Lets the server not serve the type, such as a kind whose CustomResourceDefinition is
     * installed later, or removed. Once discovery has confirmed that, for two minutes if it was
     * served before, the cache is empty, counts as synced, and fills when the type is served;
     * {@link InformerHealth#served} tells. The same holds at once for a type of namespaced objects
     * that the server has as a cluster-scoped one. Otherwise that is a failure, as for types
     * without a group; so is a refusal, since objects that may not be listed may be there.
     */
    public Spec<T> optional() {
      return optional(() -> false);
    }

    /**
     * The same, and a refusal of the first list counts as an empty list, too, while nothing depends
     * on the objects. A right that is lost later is a failure.
     *
     * @param dispensable whether nothing depends on them now; called by the informer's thread
     */
    public Spec<T> optional(BooleanSupplier dispensable) {
      optional = dispensable;
      return this;
    }

    /** Creates the informer. */
    public Informer<T> register() {
      return owner.register(this);
    }

    ResourceType<T> type() {
      return type;
    }

    ListOptions selection() {
      return selection;
    }

    Map<String, Function<T, List<String>>> indexes() {
      return Map.copyOf(indexes);
    }

    Trim<T> trim() {
      return trim;
    }

    Optional<BooleanSupplier> dispensable() {
      return Optional.ofNullable(optional);
    }
  }
}
