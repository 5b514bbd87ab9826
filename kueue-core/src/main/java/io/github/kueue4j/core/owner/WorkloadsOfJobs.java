// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads and creates the Workloads of Jobs. Those that are being created and that the informer
 * hasn't shown yet are awaited: a Job that changes meanwhile doesn't have them created once more,
 * which the API server would refuse. A Workload that was deleted before the informer could show it
 * is awaited for {@link #PATIENCE} only. Thread-safe.
 */
final class WorkloadsOfJobs {
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Informer<Workload> informer;
  private final KubernetesApi api;
  private final JobListener listener;
  private final InstantSource steady;
  private final Map<ObjectKey, Instant> since = new ConcurrentHashMap<>();

  /**
   * None is awaited yet.
   *
   * @param steady a clock that isn't set
   */
  WorkloadsOfJobs(
      Informer<Workload> informer, KubernetesApi api, JobListener listener, InstantSource steady) {
    this.informer = informer;
    this.api = api;
    this.listener = listener;
    this.steady = steady;
    informer.onChange(change -> since.remove(change.key()));
  }

  Optional<Workload> cached(ObjectKey key) {
    return informer.get(key);
  }

  /** A Workload, read from the API server, without the cache's trimming. */
  Optional<Workload> live(ObjectKey key) {
    return api.get(KueueTypes.WORKLOAD, key);
  }

  boolean awaits(ObjectKey key) {
    Instant begun = since.get(key);
    return begun != null && steady.instant().isBefore(begun.plus(PATIENCE));
  }

  /** It isn't awaited any more. */
  void forget(ObjectKey key) {
    since.remove(key);
  }

  /**
   * Creates the Workload of a Job.
   *
   * @return as the API server stores it
   * @throws KubernetesApiException.AlreadyExists if the cache was behind; it stays awaited
   */
  Workload create(ResourceType<?> kind, KubernetesObject job, Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    // Before the request: the informer may show the Workload before the answer is here.
    since.put(key, steady.instant());
    Workload created;
    try {
      created = api.create(KueueTypes.WORKLOAD, workload);
    } catch (KubernetesApiException.AlreadyExists e) {
      throw e;
    } catch (RuntimeException e) {
      forget(key);
      throw e;
    }
    listener.workloadCreated(kind, job);
    return created;
  }
}
