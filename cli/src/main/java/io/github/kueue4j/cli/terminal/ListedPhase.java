// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.observe.explain.Explain;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The phase of a Workload as lists print it: that of {@link Phase}, and whether pods are ready. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public enum ListedPhase {
  QUEUED,
  HELD,
  BACKOFF,
  RESERVED,
  ADMITTED,
  /** Admitted, and all pods are ready: known only where the core watches for it. */
  RUNNING,
  EVICTING,
  DEACTIVATED,
  FINISHED;

  /**
   * The phase of a Workload.
   *
   * @param queue the ClusterQueue whose quota it holds or waits for; null if unknown
   */
  public static ListedPhase of(Workload workload, @Nullable ClusterQueue queue) {
    return switch (Explain.phase(workload, queue)) {
      case FINISHED -> FINISHED;
      case DEACTIVATED -> DEACTIVATED;
      case EVICTING -> EVICTING;
      case ADMITTED ->
          workload.conditions().isTrue(WorkloadConditions.PODS_READY) ? RUNNING : ADMITTED;
      case RESERVED -> RESERVED;
      case BACKOFF -> BACKOFF;
      case HELD -> HELD;
      case QUEUED -> QUEUED;
    };
  }

  /** Since when the Workload is in this phase, as far as its conditions tell. */
  Optional<Instant> since(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    return switch (this) {
      case FINISHED -> conditions.trueSince(WorkloadConditions.FINISHED);
      case EVICTING -> conditions.trueSince(WorkloadConditions.EVICTED);
      case ADMITTED -> conditions.trueSince(WorkloadConditions.ADMITTED);
      case RUNNING -> conditions.trueSince(WorkloadConditions.PODS_READY);
      case RESERVED -> conditions.trueSince(WorkloadConditions.QUOTA_RESERVED);
      case DEACTIVATED, BACKOFF, HELD, QUEUED ->
          Stream.of(WorkloadConditions.REQUEUED, WorkloadConditions.EVICTED)
              .flatMap(type -> conditions.changedAt(type).stream())
              .findFirst()
              .or(() -> created(workload));
    };
  }

  static Optional<Instant> created(Workload workload) {
    return Optional.ofNullable(workload.metadata().getCreationTimestamp())
        .map(created -> created.toInstant());
  }

  /** {@code Queued}. */
  String word() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  /** {@code queued}, as options have it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
