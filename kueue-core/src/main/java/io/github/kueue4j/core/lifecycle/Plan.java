// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The next step for a Workload: nothing, one patch of its status, or one patch of its spec.
 *
 * <p>A plan that writes always changes the object. It is written with the resourceVersion of {@link
 * Write#before}; on a conflict the caller reads from the API and plans again.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Plan {

  /** The observed entries up to now; the caller keeps them whether or not the patch succeeds. */
  ObservedEntries observed();

  /**
   * When to plan again if nothing changes before: never earlier than needed, null for not at all.
   */
  @Nullable Instant wakeAt();

  /** The rule that acted, or null if none did. */
  default @Nullable Rule rule() {
    return this instanceof Write write ? write.rule() : null;
  }

  /** A plan that writes. */
  sealed interface Write extends Plan {
    /** The Workload as it was read. */
    Workload before();

    /** The Workload as the patch makes it. */
    Workload after();

    @Override
    Rule rule();
  }

  /**
   * A plan that writes nothing.
   *
   * @param waitReason what the Workload waits for
   */
  record Nothing(WaitReason waitReason, @Nullable Instant wakeAt, ObservedEntries observed)
      implements Plan {}

  /**
   * One patch of the status.
   *
   * @param applied the observed entries that hold once the patch has succeeded
   * @param events to record once the patch has succeeded
   * @param metrics the metrics to count once the patch has succeeded
   */
  record PatchStatus(
      Rule rule,
      Workload before,
      Workload after,
      ObservedEntries observed,
      ObservedEntries applied,
      @Nullable Instant wakeAt,
      List<LifecycleEvent> events,
      List<LifecycleMetric> metrics)
      implements Write {
    public PatchStatus {
      events = List.copyOf(events);
      metrics = List.copyOf(metrics);
    }
  }

  /** One patch of the spec: {@code active} becomes false. */
  record PatchSpec(
      Rule rule,
      Workload before,
      Workload after,
      ObservedEntries observed,
      @Nullable Instant wakeAt)
      implements Write {}
}
