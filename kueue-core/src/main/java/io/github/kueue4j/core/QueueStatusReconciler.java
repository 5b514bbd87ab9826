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
package io.github.kueue4j.core;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import io.github.kueue4j.core.status.QueueStatuses;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of ClusterQueues and LocalQueues: only when it changed, and no queue more often
 * than once per interval, however much happens in it. A key with a namespace is a LocalQueue.
 */
final class QueueStatusReconciler implements Reconciler {
  private static final int TRIES = 5;

  private final KubernetesApi api;
  private final FreshCache<ClusterQueue> clusterQueues;
  private final FreshCache<LocalQueue> localQueues;
  private final StateLoop state;
  private final InstantSource clock;
  private final Duration interval;
  private final Map<ObjectKey, Instant> written = new ConcurrentHashMap<>();

  QueueStatusReconciler(
      KubernetesApi api,
      FreshCache<ClusterQueue> clusterQueues,
      FreshCache<LocalQueue> localQueues,
      StateLoop state,
      InstantSource clock,
      Duration interval) {
    this.api = api;
    this.clusterQueues = clusterQueues;
    this.localQueues = localQueues;
    this.state = state;
    this.clock = clock;
    this.interval = interval;
  }

  /**
   * What the State says about a queue.
   *
   * @param clusterQueue rules of the ClusterQueue concerned; null if there is none
   */
  private record Report(
      QueueCounts counts, Health health, @Nullable ClusterQueueSpec clusterQueue) {}

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    Instant now = clock.instant();
    Instant last = written.get(key);
    if (last != null && now.isBefore(last.plus(interval))) {
      return Requeue.at(last.plus(interval));
    }
    if (key.namespace().isEmpty()) {
      Optional<Report> report = ask(current -> clusterQueueReport(current, key.name()));
      if (report.isPresent()) {
        write(
            key,
            clusterQueues,
            queue -> QueueStatuses.of(queue, report.get().health(), report.get().counts(), now),
            patch -> api.patchStatus(KueueTypes.CLUSTER_QUEUE, patch));
      }
    } else {
      Optional<Report> report = ask(current -> localQueueReport(current, key));
      if (report.isPresent()) {
        write(
            key,
            localQueues,
            queue ->
                QueueStatuses.of(
                    queue,
                    report.get().clusterQueue(),
                    report.get().health(),
                    report.get().counts(),
                    now),
            patch -> api.patchStatus(KueueTypes.LOCAL_QUEUE, patch));
      }
    }
    return Requeue.never();
  }

  private <T extends KubernetesObject> void write(
      ObjectKey key,
      FreshCache<T> cache,
      UnaryOperator<T> desired,
      Function<GuardedPatch<T>, T> send) {
    Optional<T> queue = cache.get(key);
    for (int attempt = 0; attempt < TRIES && queue.isPresent(); attempt++) {
      GuardedPatch<T> patch = GuardedPatch.ofStatus(queue.get(), desired.apply(queue.get()));
      if (patch.isEmpty()) {
        return;
      }
      try {
        cache.saw(send.apply(patch));
        written.put(key, clock.instant());
        return;
      } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
        queue = cache.live(key);
      }
    }
    if (queue.isEmpty()) {
      written.remove(key);
    }
  }

  private static Optional<Report> clusterQueueReport(State state, String name) {
    return state
        .clusterQueue(name)
        .filter(entry -> entry.object != null)
        .map(
            entry ->
                new Report(
                    entry.currentCounts(),
                    entry.health,
                    entry.object == null ? null : entry.object.spec()));
  }

  private static Optional<Report> localQueueReport(State state, ObjectKey key) {
    LocalQueueEntry entry = state.localQueue(key).orElse(null);
    LocalQueue object = entry == null ? null : entry.object;
    if (entry == null || object == null) {
      return Optional.empty();
    }
    String clusterQueue = object.spec().clusterQueue();
    return Optional.of(
        new Report(
            entry.currentCounts(),
            Health.of(object, state.healthBehind(entry).orElse(null)),
            clusterQueue == null
                ? null
                : state
                    .clusterQueue(clusterQueue)
                    .map(found -> found.object)
                    .map(ClusterQueue::spec)
                    .orElse(null)));
  }

  private Optional<Report> ask(Function<State, Optional<Report>> question)
      throws InterruptedException {
    try {
      return state.ask(question).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the scheduler's state can't say what a queue holds", e);
    }
  }
}
