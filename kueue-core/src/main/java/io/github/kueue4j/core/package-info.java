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

/**
 * Workload and queue reconcilers and the quota scheduler: the shell around the pure rooms.
 *
 * <pre>
 * cache --changes--&gt; state.StateLoop (one thread: State, scheduler.SchedulingCycle)
 *   |                      | state.Outbox: reservations, verdicts     | report: queue status, gauges
 *   v                      v
 * workload.Facts --&gt; workload.WorkloadReconciler (one serial worker per Workload)
 *                          | lifecycle.Lifecycle.plan --&gt; workload.WorkloadWriter: guarded patch
 *                          |                  --&gt; workload.PlanAftermath: events, metrics
 *                          | owner.Jobs: creates the Workload, starts, stops, restores the Job
 * </pre>
 *
 * <p>This package only puts the rooms together. {@code lifecycle}, {@code scheduler}, {@code
 * quota}, {@code queue}, {@code job} and {@code status} are pure; {@code cache}, {@code state},
 * {@code workload}, {@code owner}, {@code finalizer} and {@code report} are the shell around them.
 *
 * <p>Who owns what:
 *
 * <ul>
 *   <li>The State belongs to one thread and takes no locks. A decided reservation counts there at
 *       once; only the Workload's worker can end that assumption, by reporting that the patch was
 *       written or given up, or the informer, by showing it.
 *   <li>A Workload is written by its worker alone, and so is its Job. That is why "the owner has
 *       stopped" (rule R4) can be decided there: no start can be in flight.
 *   <li>What was written or read live stays ahead of the informer ({@code FreshCache}), so that the
 *       next step doesn't start from a stale copy. The guard of every patch makes that an
 *       optimisation, not a matter of correctness.
 *   <li>After a failure that leaves open whether a patch arrived (a broken connection, a 5xx), the
 *       reservation stays counted until the next try has read the Workload from the API.
 * </ul>
 *
 * <p>Rejected: reserving from the scheduler's own thread pool. A second writer per Workload would
 * race with evictions, and its failures would have to be told apart from theirs. Rejected: moving
 * Workloads in and out of an "inadmissible" set one by one. Parking whole shapes costs the same
 * whether ten or a hundred thousand wait.
 */
@NullMarked
package io.github.kueue4j.core;

import org.jspecify.annotations.NullMarked;
