// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The books that all parts of the {@link State} share: what is queued, what holds quota, and by
 * which objects. They belong to the State's thread, and only this package can reach them: that is
 * what keeps other threads out.
 *
 * @param settings what the configuration says
 * @param queues the queues and the Workloads, by name
 * @param catalog the objects that queues refer to
 * @param quotas the quota tree
 * @param usage what the queues have used in the past
 * @param preemptors for which Workloads others are being evicted
 * @param startGate which holders of quota hold up admission until their pods are ready
 * @param outbox takes what is to be written about Workloads
 * @param effects hears what follows from changes
 * @param steady the clock of pauses, which is never set back or forward
 */
record SchedulingBooks(
    SchedulingSettings settings,
    QueueIndex queues,
    Catalog catalog,
    Quotas quotas,
    FairUsage usage,
    Preemptors preemptors,
    StartGate startGate,
    Outbox outbox,
    State.Effects effects,
    InstantSource steady) {

  /** Books without any entry. */
  static SchedulingBooks empty(
      SchedulingSettings settings, Outbox outbox, State.Effects effects, InstantSource steady) {
    QueueIndex queues = new QueueIndex();
    Catalog catalog = new Catalog(settings.switchedOff());
    Quotas quotas = new Quotas(queues, catalog);
    return new SchedulingBooks(
        settings,
        queues,
        catalog,
        quotas,
        new FairUsage(queues, catalog, quotas, settings.usage(), effects, steady),
        new Preemptors(queues, quotas),
        new StartGate(settings.podsReady().blockAdmission(), settings.kinds()),
        outbox,
        effects,
        steady);
  }

  /** Whether an evicted Workload returns to its old place in a ClusterQueue (KEP-1282). */
  boolean keepsPlace(String clusterQueue) {
    return settings
        .podsReady()
        .in(queues.specOf(clusterQueue).orElse(null))
        .filter(PodsReadyPolicy::keepsPlace)
        .isPresent();
  }

  /** The Workloads that can be preempted now, compared by what their queues have used. */
  PreemptionCandidates preemptionCandidates(Instant now) {
    return new PreemptionCandidates(
        queues::holders, settings.preemption(), localQueue -> usage.inForce(localQueue, now));
  }
}
