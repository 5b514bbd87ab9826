// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.finalizer;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The controllers that keep ClusterQueues, ResourceFlavors and AdmissionChecks from disappearing
 * while Workloads or ClusterQueues need them.
 */
@API(status = API.Status.INTERNAL)
public final class ObjectsInUse {
  /** How many queues an event names. */
  private static final int NAMED_QUEUES = 5;

  private final KubernetesApi api;
  private final CoreInformers caches;
  private final StateLoop loop;
  private final EventRecorder events;
  private final Concurrency concurrency;
  private final BiFunction<String, Reconciler, Controller.Builder> controllers;
  private final Controller clusterQueues;

  /** How many objects of a kind are reconciled at once. */
  @FunctionalInterface
  @API(status = API.Status.INTERNAL)
  public interface Concurrency {
    /** The number for a kind; {@code fallback} unless it is configured. */
    int of(String kind, int fallback);
  }

  /**
   * The controllers, not yet started.
   *
   * @param clusterQueueCache the ClusterQueues as the core's own writes have left them
   * @param controllers begins a controller with a name and a reconciler
   */
  public ObjectsInUse(
      KubernetesApi api,
      CoreInformers caches,
      FreshCache<ClusterQueue> clusterQueueCache,
      StateLoop loop,
      EventRecorder events,
      Concurrency concurrency,
      BiFunction<String, Reconciler, Controller.Builder> controllers) {
    this.api = api;
    this.caches = caches;
    this.loop = loop;
    this.events = events;
    this.concurrency = concurrency;
    this.controllers = controllers;
    this.clusterQueues =
        controllers
            .apply(
                "clusterqueue-finalizers",
                new FinalizerReconciler<>(
                    clusterQueueCache, this::holders, events, ClusterQueue::withMetadata))
            .watch(caches.clusterQueues())
            .workers(concurrency.of(KueueTypes.CLUSTER_QUEUE.kind(), 1))
            .build();
  }

  /** All controllers of this package. */
  public List<Controller> controllers() {
    return List.of(
        clusterQueues,
        referredTo(
            "resourceflavor-finalizers",
            KueueTypes.RESOURCE_FLAVOR,
            caches.flavors(),
            ObjectsInUse::flavors,
            ResourceFlavor::withMetadata),
        referredTo(
            "admissioncheck-finalizers",
            KueueTypes.ADMISSION_CHECK,
            caches.checks(),
            ObjectsInUse::checks,
            AdmissionCheck::withMetadata));
  }

  /**
   * Fewer Workloads may hold quota of this ClusterQueue now. If it is being deleted, it may go. If
   * the deletion isn't known yet, the informer's event brings it to the controller later.
   */
  public void released(ObjectKey clusterQueue) {
    if (caches.clusterQueues().get(clusterQueue).filter(Health::terminating).isPresent()) {
      clusterQueues.queue().add(clusterQueue);
    }
  }

  /** A controller for objects that are in use while a ClusterQueue names them. */
  private <T extends KubernetesObject> Controller referredTo(
      String name,
      ResourceType<T> type,
      Informer<T> informer,
      Function<ClusterQueue, Set<String>> names,
      BiFunction<T, V1ObjectMeta, T> withMetadata) {
    return controllers
        .apply(
            name,
            new FinalizerReconciler<>(
                FreshCache.over(informer, type, api),
                object -> usedBy(object, names),
                events,
                withMetadata))
        .watch(informer)
        .watch(caches.clusterQueues(), change -> keys(change, names))
        .workers(concurrency.of(type.kind(), 1))
        .build();
  }

  private Optional<String> usedBy(String object, Function<ClusterQueue, Set<String>> names) {
    List<String> queues =
        caches.clusterQueues().list().stream()
            .filter(queue -> names.apply(queue).contains(object))
            .map(queue -> ObjectKey.of(queue).name())
            .sorted()
            .toList();
    if (queues.isEmpty()) {
      return Optional.empty();
    }
    List<String> some = queues.subList(0, Math.min(queues.size(), NAMED_QUEUES));
    return Optional.of(
        "The deletion waits: in use by ClusterQueue "
            + String.join(", ", some)
            + (some.size() < queues.size() ? " and others" : "")
            + "; remove the reference from each, or delete it");
  }

  private Optional<String> holders(String clusterQueue) throws InterruptedException {
    return hasHolders(clusterQueue)
        ? Optional.of(
            "The deletion waits: Workloads hold quota of this ClusterQueue, and no other gets any;"
                + " wait until they have finished, or evict them with spec.stopPolicy:"
                + " HoldAndDrain")
        : Optional.empty();
  }

  private boolean hasHolders(String clusterQueue) throws InterruptedException {
    try {
      return loop.ask(reports -> reports.quotaHeldIn(clusterQueue)).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "could not read from the scheduler's state whether quota is held", e);
    }
  }

  /** The objects that a ClusterQueue named before a change and doesn't name any more. */
  private static Set<ObjectKey> keys(
      Change<ClusterQueue> change, Function<ClusterQueue, Set<String>> names) {
    Set<String> released =
        switch (change) {
          case Change.Added<ClusterQueue> added -> Set.of();
          case Change.Updated<ClusterQueue> updated -> {
            Set<String> before = new LinkedHashSet<>(names.apply(updated.before()));
            before.removeAll(names.apply(updated.object()));
            yield before;
          }
          case Change.Deleted<ClusterQueue> deleted -> names.apply(deleted.object());
        };
    return released.stream().map(ObjectKey::cluster).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> flavors(ClusterQueue queue) {
    return queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> checks(ClusterQueue queue) {
    return queue.spec().admissionChecks().stream()
        .map(rule -> rule.name())
        .collect(Collectors.toUnmodifiableSet());
  }
}
