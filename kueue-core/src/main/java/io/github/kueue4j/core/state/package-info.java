// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * Everything that scheduling depends on, owned by one thread: queues, waiting Workloads, held
 * quota.
 *
 * <pre>
 * informers ---&gt; WorkloadChanges, ConfigObjectChanges --+
 * workers --(WriteOutcomes)--&gt; StateLoop ---------------+
 *                                                       v
 *                Ledger, Overcommitment, DeferredPreemptions ---&gt; SchedulingBooks
 *                                                       ^        (entries, Catalog, Quotas, FairUsage,
 *                                                       |         Preemptors)
 *                                                       |                 |
 * workers &lt;--- Outbox &lt;--- DecisionRecorder &lt;--- SchedulerDriver          v
 *                   ^                        (HeadSelector)          QueueReports ---&gt; report
 *                   +--- PendingReasonNotifier
 * </pre>
 *
 * <p>Other packages see four narrow views of the {@link io.github.kueue4j.core.state.State}: {@link
 * io.github.kueue4j.core.state.WorkloadChanges} and {@link
 * io.github.kueue4j.core.state.ConfigObjectChanges} for the informers, {@link
 * io.github.kueue4j.core.state.WriteOutcomes} for the workers of Workloads, and the read-only
 * {@link io.github.kueue4j.core.state.QueueReports} for statuses, metrics and finalizers. What the
 * scheduler has decided to reserve is an {@link io.github.kueue4j.core.state.AssumedReservation},
 * which the State and a worker share.
 *
 * <p>Rejected: a package of its own for the books or for the scheduler's driver. The entries of the
 * books are mutable and belong to one thread. What keeps other threads out is that they are
 * package-private; the driver reads and changes nearly all of them.
 */
@NullMarked
package io.github.kueue4j.core.state;

import org.jspecify.annotations.NullMarked;
