// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.informer.Informer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Workloads that are being created and that the informer hasn't shown yet: a Job that changes
 * meanwhile doesn't have them created once more, which the API server would refuse. A Workload that
 * was deleted before the informer could show it is awaited for {@link #PATIENCE} only. Thread-safe.
 */
final class AwaitedWorkloads {
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final InstantSource steady;
  private final Map<ObjectKey, Instant> since = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param steady a clock that isn't set
   */
  AwaitedWorkloads(Informer<Workload> informer, InstantSource steady) {
    this.steady = steady;
    informer.onChange(change -> since.remove(change.key()));
  }

  /** A Workload is about to be created. */
  void await(ObjectKey workload) {
    since.put(workload, steady.instant());
  }

  /** It wasn't created. */
  void forget(ObjectKey workload) {
    since.remove(workload);
  }

  boolean contains(ObjectKey workload) {
    Instant begun = since.get(workload);
    return begun != null && steady.instant().isBefore(begun.plus(PATIENCE));
  }
}
