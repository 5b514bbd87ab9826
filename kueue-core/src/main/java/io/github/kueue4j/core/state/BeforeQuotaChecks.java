// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.BeforeQuota;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether the checks before quota let a Workload be offered to the scheduler, and for how long.
 * Belongs to the State's thread.
 *
 * <p>The age of a Ready matters only when the scheduler is about to give quota for it, or to
 * preempt for it: then the check is asked again, so that thousands of Workloads that wait cost no
 * writes. It counts from when the core saw it, whatever the check's clock says; after a restart,
 * from its date.
 */
final class BeforeQuotaChecks {
  /**
   * So many Workloads of a ClusterQueue are asked about again at a time. Without a bound all would
   * be at once: none of them takes the quota that makes the next one's turn.
   */
  static final int ASKED_AGAIN_AT_A_TIME = 16;

  private final QueueIndex queues;
  private final Catalog catalog;
  private final InstantSource steady;

  BeforeQuotaChecks(SchedulingBooks books) {
    this.queues = books.queues();
    this.catalog = books.catalog();
    this.steady = books.steady();
  }

  /**
   * When a Ready was given.
   *
   * @param entry what was seen
   * @param since by the clock of pauses
   */
  record Given(AdmissionCheckState entry, Instant since) {}

  /** Whether each check before quota of a ClusterQueue says Ready, and none is asked again. */
  boolean open(WorkloadEntry entry, Workload workload, String clusterQueue) {
    return BeforeQuota.open(workload, of(clusterQueue)) && !isAskedAgain(entry, workload);
  }

  private static boolean isAskedAgain(WorkloadEntry entry, Workload workload) {
    return workload.status().admissionChecks().stream().anyMatch(entry.askedAgain::contains);
  }

  /** The entries of a Workload whose Ready no longer counts. */
  List<AdmissionCheckState> expired(WorkloadEntry entry, String clusterQueue) {
    List<AdmissionCheckState> expired = new ArrayList<>();
    for (String check : of(clusterQueue)) {
      Given given = entry.given.get(check);
      if (given != null) {
        Duration age = Duration.between(given.since(), steady.instant());
        if (age.compareTo(catalog.readyFor(check)) >= 0) {
          expired.add(given.entry());
        }
      }
    }
    return expired;
  }

  private Set<String> of(String clusterQueue) {
    return queues.specOf(clusterQueue).map(catalog::beforeQuota).orElse(Set.of());
  }

  /**
   * When each Ready of a Workload without quota was given.
   *
   * @param previous the version before; null if none was seen
   * @param steady now, by the clock of pauses
   * @param now by the clock of the workers
   */
  static Map<String, Given> given(
      Map<String, Given> known,
      @Nullable Workload previous,
      Workload workload,
      Instant steady,
      Instant now) {
    if (workload.conditions().reserved()) {
      return Map.of();
    }
    Map<String, Given> given = new HashMap<>();
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      if (entry.is(CheckState.READY)) {
        Given before = known.get(entry.name());
        given.put(
            entry.name(),
            before != null && before.entry().equals(entry)
                ? before
                : new Given(entry, steady.minus(age(entry, previous, now))));
      }
    }
    return Map.copyOf(given);
  }

  private static Duration age(AdmissionCheckState entry, @Nullable Workload previous, Instant now) {
    Duration age = Duration.between(entry.lastTransitionTime(), now);
    return previous != null || age.isNegative() ? Duration.ZERO : age;
  }
}
