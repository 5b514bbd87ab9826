// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Workload and queue reconcilers and the quota scheduler.
 *
 * <pre>
 * cache --StateFeed--&gt; state.StateLoop (one thread: State, scheduler.SchedulingCycle)
 *   |                      | StateEffects wakes, state.Outbox holds | report: queue status, metrics
 *   v                      v
 * workload.SituationBuilder --&gt; workload.WorkloadReconciler (one serial worker per Workload)
 *                          | workload.TurnPlanner: asks lifecycle.Lifecycle for the plan
 *                          |   --&gt; workload.WorkloadWriter: guarded patch
 *                          |       --&gt; workload.PlanReporter: events, metrics
 *                          | owner.Jobs: creates the Workload; owner.WorkloadJob: starts, stops
 * </pre>
 *
 * <p>This package puts the parts together: read {@link io.github.kueue4j.core.CoreAssembly} from
 * top to bottom. It also joins their threads: {@link io.github.kueue4j.core.StateFeed} passes what
 * the informers see to the State, and {@link io.github.kueue4j.core.StateEffects} wakes the
 * workers. {@code docs/architecture.md} follows three paths through all of it. Which packages are
 * pure is listed in {@code CONTRIBUTING.md} and checked by {@code PackagesTest}.
 *
 * <p>What belongs to which thread:
 *
 * <ul>
 *   <li>The State belongs to one thread and takes no locks. A decided reservation counts there at
 *       once. That assumption ends when the Workload's worker reports that the patch was written or
 *       given up, or when the informer shows the reservation.
 *   <li>A Workload is written by its worker alone, and so is its Job. The worker can therefore
 *       decide that the owner has stopped (rule R4): no start can be in flight.
 *   <li>Objects that were written or read live stay ahead of the informer ({@code FreshCache}), so
 *       that the next step doesn't start from a stale copy. Every patch is guarded by a
 *       resourceVersion, so that this is an optimisation and not a matter of correctness.
 *   <li>After a failure that leaves open whether a patch arrived (a broken connection, a 5xx), the
 *       reservation stays counted until the worker has read the Workload from the API.
 * </ul>
 *
 * <p>Rejected: writing reservations from a thread pool of the scheduler. A second writer per
 * Workload would race with evictions, and its failures would have to be told apart from theirs.
 * Rejected: moving Workloads in and out of an "inadmissible" set one by one. Setting aside all
 * equivalent Workloads at once costs the same whether ten or a hundred thousand wait.
 */
@NullMarked
package io.github.kueue4j.core;

import org.jspecify.annotations.NullMarked;
