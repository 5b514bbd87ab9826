// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import io.github.kueue4j.api.KubeList;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.FailedRequest;
import io.github.kueue4j.runtime.client.WatchSource;
import io.github.kueue4j.runtime.client.WatchState;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.DeltaFIFO;
import io.kubernetes.client.informer.cache.ReflectorRunnable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.commons.lang3.tuple.MutablePair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One informer on the client library's reflector, delta queue and cache.
 *
 * <p>Two parts of the library are replaced: listing and watching ({@link WatchSource}), and the
 * notification of handlers. The library gives each handler a thread with an unbounded queue, so
 * "synced" doesn't mean that handlers have seen the objects; and it reports an object that was
 * deleted and created again during an outage as an update. Here handlers are called synchronously,
 * after the cache is updated and before the next change.
 */
final class CachedInformer<T extends KubernetesObject> implements Informer<T> {

  private static final Logger log = LoggerFactory.getLogger(CachedInformer.class);

  private final Informers.Spec<T> spec;
  private final Duration silenceLimit;
  private final FatalErrors fatalErrors;
  private final TimeSource time;
  private final WatchSource<T> source;
  private final Cache<T> cache = new Cache<>();
  private final Feed feed;
  private final List<Consumer<Change<T>>> handlers = new CopyOnWriteArrayList<>();

  /** Held while a change is applied to the cache and delivered to the handlers. */
  private final Object delivery = new Object();

  private final Object watchdogLock = new Object();
  private Cancellable watchdog = () -> {}; // Guarded by watchdogLock.
  private boolean closed; // Guarded by watchdogLock.

  private volatile boolean synced;

  CachedInformer(ClusterConnection connection, Informers.Spec<T> spec, Duration silenceLimit) {
    this.spec = spec;
    this.silenceLimit = silenceLimit;
    this.fatalErrors = connection.fatalErrors();
    this.time = connection.wireTime();
    this.source =
        new WatchSource<>(
            connection,
            spec.type(),
            spec.selection(),
            spec.trim()::apply,
            spec.dispensable(),
            this::get,
            () -> cache.listKeys().size());
    Map<String, Function<T, List<String>>> indexes = new HashMap<>();
    spec.indexes().forEach((name, function) -> indexes.put(name, guarded(name, function)));
    cache.addIndexers(indexes);
    this.feed = new Feed(connection.threads());
  }

  void start() {
    feed.start();
    watch();
  }

  /** Schedules the next check for a silent watch. */
  private void watch() {
    synchronized (watchdogLock) {
      if (!closed) {
        watchdog = time.after(silenceLimit.dividedBy(4), this::checkSilence);
      }
    }
  }

  private void checkSilence() {
    if (source.cutIfSilent(silenceLimit)) {
      log.atWarn()
          .addKeyValue("resource", spec.type().qualifiedName())
          .addKeyValue("limit", silenceLimit)
          .log("The watch is silent; closing it and listing again");
    }
    watch();
  }

  Informers.Spec<T> spec() {
    return spec;
  }

  void close() {
    synchronized (watchdogLock) {
      closed = true;
      watchdog.cancel();
    }
    source.stop();
    feed.stop();
    // Stop again: a request may have started between the two calls.
    source.stop();
  }

  @Override
  public Optional<T> get(ObjectKey key) {
    return Optional.ofNullable(cache.getByKey(key.toString()));
  }

  @Override
  public List<T> list() {
    // The cache returns a copy.
    return Collections.unmodifiableList(cache.list());
  }

  @Override
  public List<T> byIndex(String index, String value) {
    return Collections.unmodifiableList(cache.byIndex(index, value));
  }

  @Override
  public Registration onChange(Consumer<Change<T>> handler) {
    synchronized (delivery) {
      cache.list().forEach(object -> call(handler, new Change.Added<>(object)));
      handlers.add(handler);
    }
    return () -> handlers.remove(handler);
  }

  @Override
  public boolean synced() {
    // Cached, because the delta queue's lock is held while a handler runs.
    synced = synced || feed.hasSynced();
    return synced;
  }

  @Override
  public InformerHealth health() {
    WatchState watch = source.state();
    return new InformerHealth(
        spec.type().qualifiedName(),
        synced(),
        watch.served(),
        watch.watching(),
        watch.lastEventAge(),
        watch.lastActivityAge(),
        watch.relists(),
        watch.failuresInARow(),
        watch.lastError(),
        watch.unreadable());
  }

  private void call(Consumer<Change<T>> handler, Change<T> change) {
    try {
      handler.accept(change);
    } catch (RuntimeException e) {
      log.atError()
          .addKeyValue("resource", spec.type().qualifiedName())
          .addKeyValue("object", change.key())
          .setCause(e)
          .log("An informer's handler threw an exception");
    }
  }

  /** Catches exceptions of an index function, which would leave the cache half updated. */
  private Function<T, List<String>> guarded(String name, Function<T, List<String>> function) {
    return object -> {
      try {
        return function.apply(object);
      } catch (RuntimeException e) {
        log.atError()
            .addKeyValue("resource", spec.type().qualifiedName())
            .addKeyValue("index", name)
            .addKeyValue("object", ObjectKey.of(object))
            .setCause(e)
            .log(
                "An informer's index function threw an exception; the object is missing from"
                    + " that index");
        return List.of();
      }
    };
  }

  private void reflectorFailed(Throwable failure) {
    if (failure instanceof Error error) {
      fatalErrors.report(error);
    }
    if (!source.isStopped()) {
      source.failed(failure);
      log.atWarn()
          .addKeyValue("resource", spec.type().qualifiedName())
          .addKeyValue("cause", FailedRequest.describe(failure))
          .log("Listing or watching failed; retrying");
    }
  }

  /**
   * The library's reflector and delta queue, with synchronous delivery of changes and threads of
   * the connection. Rejected: the library's own informer, which makes its threads by itself and
   * starts a reflector that has failed again in real time.
   */
  private final class Feed {
    private final DeltaFIFO deltas =
        new DeltaFIFO(Caches::deletionHandlingMetaNamespaceKeyFunc, cache);
    private final ReflectorRunnable<T, KubeList<T>> reflector =
        new ReflectorRunnable<>(
            spec.type().type(), source, deltas, (type, failure) -> reflectorFailed(failure));

    /** Has a permit after a delivery. */
    private final Semaphore delivered = new Semaphore(0);

    private final Thread reflecting;
    private final Thread delivering;

    Feed(Threads threads) {
      reflecting = thread(threads, "reflector", this::reflect);
      delivering = thread(threads, "delivery", this::deliver);
    }

    private Thread thread(Threads threads, String part, Runnable task) {
      return threads
          .daemons()
          .name("kueue4j-informer-" + part + '-' + spec.type().plural())
          .uncaughtExceptionHandler(fatalErrors)
          .unstarted(task);
    }

    void start() {
      delivering.start();
      reflecting.start();
    }

    void stop() {
      // The source ends the reflector: its own stop waits for the reader of a watch.
      reflecting.interrupt();
      delivering.interrupt();
    }

    boolean hasSynced() {
      return deltas.hasSynced();
    }

    /** Lists and watches; the reflector returns after a failure, and the source pauses then. */
    private void reflect() {
      while (!source.isStopped()) {
        try {
          awaitDelivery();
          reflector.run();
        } catch (InterruptedException ended) {
          // By stop(), which the loop sees, or by what changes objects as they are read.
        }
      }
    }

    /**
     * Waits until the cache has everything that was listed and watched. A list is compared with the
     * cache only: an object in the queue that the list doesn't have would stay in the cache.
     */
    private void awaitDelivery() throws InterruptedException {
      for (String queued : deltas.listKeys()) {
        while (deltas.getByKey(queued) != null) {
          delivered.acquire();
        }
      }
    }

    private void deliver() {
      while (!source.isStopped()) {
        try {
          deltas.pop(this::handle);
          delivered.drainPermits();
          delivered.release();
        } catch (InterruptedException ended) {
          // By stop(), which the loop sees, or by a handler that interrupts itself.
        }
      }
    }

    private void handle(Deque<MutablePair<DeltaFIFO.DeltaType, KubernetesObject>> changed) {
      try {
        synchronized (delivery) {
          for (var delta : changed) {
            changes(delta.getLeft(), delta.getRight()).forEach(this::deliver);
          }
        }
      } catch (Error error) {
        fatalErrors.report(error);
      } catch (RuntimeException e) {
        log.atError()
            .addKeyValue("resource", spec.type().qualifiedName())
            .setCause(e)
            .log("An informer's cache could not take in a change");
      }
    }

    private void deliver(Change<T> change) {
      handlers.forEach(handler -> call(handler, change));
    }

    /** Updates the cache and returns the changes to deliver to handlers. */
    private List<Change<T>> changes(DeltaFIFO.DeltaType delta, KubernetesObject object) {
      boolean missed = object instanceof DeltaFIFO.DeletedFinalStateUnknown<?>;
      T current =
          spec.type()
              .type()
              .cast(
                  object instanceof DeltaFIFO.DeletedFinalStateUnknown<?> unknown
                      ? unknown.getObj()
                      : object);
      T before = cache.getByKey(ObjectKey.of(current).toString());
      List<Change<T>> changes = new ArrayList<>();
      if (delta == DeltaFIFO.DeltaType.Deleted) {
        if (before != null) {
          cache.delete(before);
          boolean unread = WatchSource.isOnlyIdentity(current);
          changes.add(new Change.Deleted<>(unread ? before : current, missed || unread));
        }
        return changes;
      }
      if (before == null) {
        changes.add(new Change.Added<>(current));
      } else if (!Objects.equals(before.getMetadata().getUid(), current.getMetadata().getUid())) {
        changes.add(new Change.Deleted<>(before, true));
        changes.add(new Change.Added<>(current));
      } else if (!Objects.equals(
          before.getMetadata().getResourceVersion(), current.getMetadata().getResourceVersion())) {
        changes.add(new Change.Updated<>(before, current));
      } else {
        // A relist returned the same version: handlers have seen it already.
        return changes;
      }
      cache.update(current);
      return changes;
    }
  }
}
