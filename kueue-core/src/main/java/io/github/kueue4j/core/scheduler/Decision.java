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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;
import org.apiguardian.api.API;

/** What a scheduling cycle decided about one head. */
@API(status = API.Status.INTERNAL)
public sealed interface Decision {
  /** The ClusterQueue whose head it was. */
  String clusterQueue();

  /** The head. */
  QueuedWorkload workload();

  /**
   * Quota is to be reserved.
   *
   * @param admission what to write into the Workload's status
   * @param usage the quota that it takes
   * @param deferred who still holds it and gives way later (KEP-993); empty if it is free
   */
  record Reserve(
      String clusterQueue,
      QueuedWorkload workload,
      Admission admission,
      Amounts<FlavorResource> usage,
      List<Target> deferred)
      implements Decision {
    public Reserve {
      deferred = List.copyOf(deferred);
    }

    /** Of quota that is free. */
    public Reserve(
        String clusterQueue,
        QueuedWorkload workload,
        Admission admission,
        Amounts<FlavorResource> usage) {
      this(clusterQueue, workload, admission, usage, List.of());
    }

    Reserve deferring(List<Target> targets) {
      return new Reserve(clusterQueue, workload, admission, usage, targets);
    }
  }

  /**
   * It fits once others have given way. Nothing is reserved yet: their quota is theirs until they
   * have let go of it, and then this Workload is tried again.
   *
   * @param usage the quota that it is going to take
   * @param targets who is to be preempted, or only to be awaited where evicted already; not empty
   * @param message what is missing, and what is done about it
   * @param recomputed whether others of the same cycle preempt those that it would have, and these
   *     were found instead
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
   * It would have got what it asks for, but others of the same cycle went first.
   *
   * @param preemptor whether it would have got it by preemption
   * @param again whether it is worth another try at once; otherwise when quota is given back
   * @param keptFor refused ones for which quota was kept that this one may have got otherwise: if
   *     it isn't kept for one of them in the next cycle, this one is worth another try as well
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

  /** What others have taken away. */
  @API(status = API.Status.INTERNAL)
  enum Skip {
    /** The quota. */
    TAKEN("WaitingForQuota", "Workload no longer fits after processing another workload"),
    /** Those who would have given way. */
    TARGETS_TAKEN(
        "WaitingForQuota", "Workload has overlapping preemption targets with another workload"),
    /** Only the work: what others have evicted is enough for this one as well. */
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

    /** The same in words. */
    public String message() {
      return message;
    }
  }

  /**
   * It doesn't fit now.
   *
   * @param reason of the QuotaReserved=False condition
   * @param message the same in words
   * @param blocking whether those behind it must wait as well (StrictFIFO)
   */
  record Inadmissible(
      String clusterQueue, QueuedWorkload workload, String reason, String message, boolean blocking)
      implements Decision {}
}
