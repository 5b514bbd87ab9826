// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which GPUs workloads needed that were sent back for want of them. In its delay a workload has no
 * reservation, so that its flavors are not known from the objects. In memory only: after a restart
 * nothing is known of those that wait, and their delays end when they end.
 */
final class SentBack {
  private record Waiting(ObjectKey workload, String check) {}

  private record Needed(@Nullable String uid, List<Demand> demands) {}

  // Guarded by this object's monitor.
  private final Map<Waiting, Needed> waiting = new HashMap<>();
  private final Function<ObjectKey, Optional<Workload>> workloads;

  /**
   * None yet.
   *
   * @param workloads looks up a workload as the watch shows it
   */
  SentBack(Function<ObjectKey, Optional<Workload>> workloads) {
    this.workloads = workloads;
  }

  /** Remembers what the workload needs, and forgets workloads that are gone. */
  synchronized void remember(Evaluation<?> evaluation, List<Demand> demands) {
    waiting.entrySet().removeIf(entry -> isGone(entry.getKey().workload, entry.getValue()));
    waiting.put(key(evaluation), new Needed(uid(evaluation.workload()), List.copyOf(demands)));
  }

  /** Forgets the workload, which waits no more. */
  synchronized void forget(Evaluation<?> evaluation) {
    waiting.remove(key(evaluation));
  }

  /** What this very workload needed when it was sent back last; empty if that is not known. */
  synchronized List<Demand> demands(Evaluation<?> evaluation) {
    @Nullable Needed needed = waiting.get(key(evaluation));
    return needed != null && Objects.equals(needed.uid, uid(evaluation.workload()))
        ? needed.demands
        : List.of();
  }

  private boolean isGone(ObjectKey key, Needed needed) {
    return workloads.apply(key).filter(there -> Objects.equals(needed.uid, uid(there))).isEmpty();
  }

  private static Waiting key(Evaluation<?> evaluation) {
    return new Waiting(evaluation.key(), evaluation.check());
  }

  private static @Nullable String uid(Workload workload) {
    return workload.metadata().getUid();
  }
}
