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
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.state.ClusterQueueReport;
import io.github.kueue4j.core.state.LocalQueueReport;
import io.github.kueue4j.core.state.QueueUsage;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.state.StateLoop;
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
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of ClusterQueues and LocalQueues: only when it changed, and no queue more often
 * than once per interval, however much happens in it. A key with a namespace is a LocalQueue.
 */
@API(status = API.Status.INTERNAL)
public final class QueueStatusReconciler implements Reconciler {
  private static final int TRIES = 5;

  private final KubernetesApi api;
  private final FreshCache<ClusterQueue> clusterQueues;
  private final FreshCache<LocalQueue> localQueues;
  private final StateLoop state;
  private final InstantSource clock;
  private final InstantSource pace;
  private final Duration interval;
  private final Map<ObjectKey, Instant> written = new ConcurrentHashMap<>();

  /**
   * The reconciler.
   *
   * @param clock what the statuses' timestamps go by
   * @param pace what the interval goes by, as do the delays of the controller that runs this
   * @param interval shortest time between two writes of one queue
   */
  public QueueStatusReconciler(
      KubernetesApi api,
      FreshCache<ClusterQueue> clusterQueues,
      FreshCache<LocalQueue> localQueues,
      StateLoop state,
      InstantSource clock,
      InstantSource pace,
      Duration interval) {
    this.api = api;
    this.clusterQueues = clusterQueues;
    this.localQueues = localQueues;
    this.state = state;
    this.clock = clock;
    this.pace = pace;
    this.interval = interval;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    Instant last = written.get(key);
    if (last != null && pace.instant().isBefore(last.plus(interval))) {
      return Requeue.at(last.plus(interval));
    }
    Instant now = clock.instant();
    if (key.namespace().isEmpty()) {
      Optional<ClusterQueueReport> report = ask(current -> current.clusterQueue(key.name()));
      if (report.isPresent()) {
        write(
            key,
            clusterQueues,
            queue ->
                QueueStatuses.of(
                    queue,
                    report.get().health(),
                    report.get().counts(),
                    sampled(report.get().usage()),
                    now),
            patch -> api.patchStatus(KueueTypes.CLUSTER_QUEUE, patch));
      }
    } else {
      Optional<LocalQueueReport> report = ask(current -> current.localQueue(key));
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
                    sampled(report.get().usage()),
                    now),
            patch -> api.patchStatus(KueueTypes.LOCAL_QUEUE, patch));
      }
    }
    return Requeue.never();
  }

  private static @Nullable AdmissionFairSharingStatus sampled(@Nullable QueueUsage usage) {
    return usage == null ? null : usage.sampled();
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
        written.put(key, pace.instant());
        return;
      } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
        queue = cache.live(key);
      }
    }
    if (queue.isEmpty()) {
      written.remove(key);
    }
  }

  private <R> R ask(Function<State, R> question) throws InterruptedException {
    try {
      return state.ask(question).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the scheduler's state can't say what a queue holds", e);
    }
  }
}
