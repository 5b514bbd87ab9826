// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1RuntimeClass;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Passes every change that the informers see on to the State. */
final class StateFeed {
  private final StateLoop loop;

  private StateFeed(StateLoop loop) {
    this.loop = loop;
  }

  static void connect(CoreInformers caches, StateLoop loop, InstantSource clock) {
    StateFeed feed = new StateFeed(loop);
    feed.add(
        caches.workloads(),
        (state, key, workload) -> {
          if (workload == null) {
            state.workloads().deleted(key, clock.instant());
          } else {
            state.workloads().observed(workload, clock.instant());
          }
        });
    feed.add(
        caches.clusterQueues(),
        (state, key, queue) ->
            state.configObjects().clusterQueue(key.name(), queue, clock.instant()));
    feed.add(
        caches.cohorts(),
        (state, key, cohort) -> state.configObjects().cohort(key.name(), cohort, clock.instant()));
    feed.add(
        caches.localQueues(),
        (state, key, queue) -> state.configObjects().localQueue(key, queue, clock.instant()));
    feed.add(
        caches.flavors(),
        (state, key, flavor) -> state.configObjects().flavor(key.name(), flavor, clock.instant()));
    feed.add(
        caches.checks(),
        (state, key, check) -> state.configObjects().check(key.name(), check, clock.instant()));
    feed.add(
        caches.namespaces(),
        (state, key, namespace) ->
            state
                .configObjects()
                .namespace(key.name(), namespace == null ? null : Metadata.labels(namespace)));
    feed.add(
        caches.limitRanges(),
        (state, key, range) -> state.configObjects().limitRange(key, range, clock.instant()));
    feed.add(
        caches.runtimeClasses(),
        (state, key, runtimeClass) ->
            state
                .configObjects()
                .runtimeClass(key.name(), overhead(runtimeClass), clock.instant()));
  }

  /**
   * Reports queues and Cohorts as changed when something about them changes that the State ignores:
   * labels and annotations, which metrics show, and a status, which another client may have
   * overwritten. After a write of our own that finds nothing to do.
   */
  static void reportUnheeded(CoreInformers caches, StateLoop loop, State.Effects effects) {
    StateFeed feed = new StateFeed(loop);
    feed.unheeded(caches.clusterQueues(), ClusterQueue::status, effects::queueChanged);
    feed.unheeded(caches.localQueues(), LocalQueue::status, effects::queueChanged);
    feed.unheeded(caches.cohorts(), Cohort::status, key -> effects.cohortChanged(key.name()));
  }

  private <T extends KubernetesObject> void unheeded(
      Informer<T> informer, Function<T, ?> status, Consumer<ObjectKey> changed) {
    informer.onChange(
        change -> {
          if (change instanceof Change.Updated<T>(T before, T now)
              && !(Metadata.labels(before).equals(Metadata.labels(now))
                  && Metadata.annotations(before).equals(Metadata.annotations(now))
                  && Objects.equals(status.apply(before), status.apply(now)))) {
            loop.post(state -> changed.accept(ObjectKey.of(now)));
          }
        });
  }

  private static Map<String, Quantity> overhead(@Nullable V1RuntimeClass runtimeClass) {
    return runtimeClass == null ? Map.of() : DemandCalculator.overhead(runtimeClass);
  }

  private <T extends KubernetesObject> void add(Informer<T> informer, Intake<T> intake) {
    informer.onChange(
        change -> {
          switch (change) {
            case Change.Added<T> added -> post(intake, added.key(), added.object());
            case Change.Updated<T> updated -> post(intake, updated.key(), updated.object());
            case Change.Deleted<T> deleted -> post(intake, deleted.key(), null);
          }
        });
  }

  private <T> void post(Intake<T> intake, ObjectKey key, @Nullable T object) {
    loop.post(state -> intake.accept(state, key, object));
  }

  /** Takes in an object, or its absence as null. */
  @FunctionalInterface
  private interface Intake<T> {
    void accept(State state, ObjectKey key, @Nullable T object);
  }
}
