// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;
import org.apiguardian.api.API;

/** The decision of a scheduling cycle about one head. */
@API(status = API.Status.INTERNAL)
public sealed interface Decision {
  /** The ClusterQueue of the head. */
  String clusterQueue();

  /** The head. */
  QueuedWorkload workload();

  /**
   * The head gets a reservation.
   *
   * @param admission to write to the Workload's status
   * @param usage the quota that it takes
   * @param deferred the victims of a deferred preemption, which still hold that quota (KEP-993);
   *     empty if the quota is free
   */
  record ReserveQuota(
      String clusterQueue,
      QueuedWorkload workload,
      Admission admission,
      Amounts<FlavorResource> usage,
      List<Target> deferred)
      implements Decision {
    public ReserveQuota {
      deferred = List.copyOf(deferred);
    }

    /** A reservation of free quota. */
    public ReserveQuota(
        String clusterQueue,
        QueuedWorkload workload,
        Admission admission,
        Amounts<FlavorResource> usage) {
      this(clusterQueue, workload, admission, usage, List.of());
    }

    ReserveQuota deferring(List<Target> targets) {
      return new ReserveQuota(clusterQueue, workload, admission, usage, targets);
    }
  }

  /**
   * The head fits once its targets are preempted. Nothing is reserved yet: the targets keep their
   * quota until they have stopped, and then this Workload is tried again.
   *
   * @param usage the quota that it will take
   * @param targets the Workloads to preempt; those that are being evicted already are only awaited.
   *     Not empty
   * @param message the missing quota and the number of targets
   * @param recomputed whether other heads of the cycle preempt its first targets, and these were
   *     found instead
   */
  record Preempt(
      String clusterQueue,
      QueuedWorkload workload,
      Amounts<FlavorResource> usage,
      List<Target> targets,
      String message,
      boolean recomputed)
      implements Decision {
    /** The reason of the QuotaReserved=False condition. */
    public static final String REASON = "WaitingForPreemptedWorkloads";

    public Preempt {
      targets = List.copyOf(targets);
    }
  }

  /**
   * The head fitted alone, but no longer after other heads of the same cycle, or comes after them.
   *
   * @param preemptor whether it would have preempted others
   * @param again whether to try it again at once; otherwise when quota is released
   * @param keptFor refused heads for which the cycle kept quota that this head may have got
   *     otherwise: if quota is no longer kept for one of them, this head is to be tried again
   */
  record Skipped(
      String clusterQueue,
      QueuedWorkload workload,
      Skip why,
      boolean preemptor,
      boolean again,
      List<Inadmissible> keptFor)
      implements Decision {
    public Skipped {
      keptFor = List.copyOf(keptFor);
    }
  }

  /** Why a head was skipped. */
  @API(status = API.Status.INTERNAL)
  enum Skip {
    /** Other heads of the cycle took the quota. */
    TAKEN("WaitingForQuota", "Workload no longer fits after processing another workload"),
    /** It would borrow, while queues that may reclaim the quota are getting their own. */
    AFTER_OWNERS(
        "WaitingForQuota", "Workload may borrow after other ClusterQueues have used their quota"),
    /** Other heads of the cycle preempt its targets. */
    TARGETS_TAKEN(
        "WaitingForQuota", "Workload has overlapping preemption targets with another workload"),
    /**
     * Other heads of the cycle preempt its targets, and the released quota suffices for this head
     * too.
     */
    FITS_AFTER_OTHERS(
        Preempt.REASON,
        "Workload has overlapping preemption targets with another workload, but will fit after these preemptions complete");

    private final String reason;
    private final String message;

    Skip(String reason, String message) {
      this.reason = reason;
      this.message = message;
    }

    /** The reason of the QuotaReserved=False condition. */
    public String reason() {
      return reason;
    }

    /** The message of the same condition. */
    public String message() {
      return message;
    }
  }

  /**
   * The head doesn't fit now.
   *
   * @param reason of the QuotaReserved=False condition
   * @param message of the same condition
   * @param blocking whether the Workloads behind it in its queue must wait too (StrictFIFO)
   */
  record Inadmissible(
      String clusterQueue, QueuedWorkload workload, String reason, String message, boolean blocking)
      implements Decision {}
}
