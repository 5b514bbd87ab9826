// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The lifecycle of a Workload under admission checks, as a pure function.
 *
 * <p>{@link io.github.kueue4j.core.lifecycle.Lifecycle#plan} turns a {@link
 * io.github.kueue4j.core.lifecycle.Situation} (the Workload as it was read, facts about its queues,
 * checks and owner, the settings, and what was seen before) and an instant into exactly one {@link
 * io.github.kueue4j.core.lifecycle.Plan}. There is no clock, no lock and no I/O in this package:
 * the same code runs in production, in the exhaustive exploration and in simulations.
 *
 * <p>The caller carries plans out:
 *
 * <pre>{@code
 * Situation situation = situations.about(workload, owner, memory.of(workload));
 * Plan plan = Lifecycle.plan(situation, now);
 * memory.keep(workload, plan.observed());
 * switch (plan) {
 *   case Plan.Nothing nothing -> timers.wake(key, nothing.wakeAt());
 *   case Plan.PatchSpec patch -> api.patch(GuardedPatch.between(patch.before(), patch.after()));
 *   case Plan.PatchStatus patch -> {
 *     memory.keep(workload, plan.observed().orApplied(patch.applied()));
 *     // after a conflict: read from the API, and plan anew
 *     Workload written = api.patchStatus(GuardedPatch.ofStatus(patch.before(), patch.after()));
 *     memory.keep(workload, patch.applied());
 *     patch.events().forEach(recorder::record);
 *     patch.metrics().forEach(metric -> metrics.count(metric, patch.before(), written));
 *     // and plan again at once, from what was written
 *   }
 * }
 * }</pre>
 *
 * <p>Obligations of a caller:
 *
 * <ul>
 *   <li>One patch per plan, guarded by the resourceVersion of {@code before}; on a conflict it
 *       reads <em>from the API</em> and plans again.
 *   <li>{@link io.github.kueue4j.core.lifecycle.Plan#observed} is kept whether or not the patch
 *       succeeds; {@link io.github.kueue4j.core.lifecycle.Plan.PatchStatus#applied} replaces it
 *       only once the patch has succeeded. Until then both are kept ({@link
 *       io.github.kueue4j.core.lifecycle.ObservedEntries#orApplied}), and after a failure as well:
 *       a patch may be written although its answer is lost.
 *   <li>Per Workload, reads don't go backwards: a copy from an informer that is older than the last
 *       object seen is not passed to {@code plan}, or a known Retry could be taken for a new one.
 *   <li>{@link io.github.kueue4j.core.lifecycle.Owner#STOPPED} is passed only by the serial worker
 *       that also starts the owner, after a live read, with no start in flight.
 * </ul>
 *
 * <p>Details that the rules leave open and that this package decides so that the invariants hold:
 *
 * <ul>
 *   <li>A required check without an entry, while the others run, gets a Pending entry ({@link
 *       io.github.kueue4j.core.lifecycle.Rule#ADD_CHECK}), because a check without an entry never
 *       gets Ready.
 *   <li>A Retry of a check that is not required doesn't prevent R1, which removes it.
 *   <li>A base that replaces an entry's date is rounded up to the next second, like the deadline,
 *       so that the recorded delay ends no earlier than the computed one.
 *   <li>A base is recorded only where there is a delay, and the timeout of a Pending entry with a
 *       date in the future counts from first sight, so that R10 always acts in the end.
 *   <li>Preemption, drain, a queue's restart and the pods-ready timeout set requeueAt to the
 *       deadline in their own patch, instead of leaving it to R5 in a second one.
 *   <li>A deactivation by a limit or a rejection clears the past execution time: a reactivated
 *       Workload has its full execution time again.
 *   <li>A status that no rule writes and no rule would leave (Requeued=False for an unknown reason,
 *       an admission without a reservation, Admitted without an admission) is repaired ({@link
 *       io.github.kueue4j.core.lifecycle.Rule#REPAIR}).
 * </ul>
 *
 * <p>The rules, where they are decided and tested. {@code Lifecycle.decide} has their order:
 *
 * <table>
 * <caption>Rules</caption>
 * <tr><th>Rule</th><th>Decided in</th><th>Tested in</th></tr>
 * <tr><td>phases</td><td>Phase</td><td>PhaseTest</td></tr>
 * <tr><td>R1 reserve</td><td>Reserve, Entries.forReservation</td><td>ReserveTest</td></tr>
 * <tr><td>R8 reject</td><td>Deactivation.reject</td><td>RejectTest</td></tr>
 * <tr><td>R11 deactivate</td><td>Deactivation.deactivate, exceedLimit, ExecutionTime</td>
 *     <td>DeactivateTest, ExecutionTimeTest</td></tr>
 * <tr><td>R4 release, with R5</td><td>Evict.release, StatusDraft.release</td>
 *     <td>ReleaseTest</td></tr>
 * <tr><td>preempt</td><td>Evict.preempt</td><td>EvictTest</td></tr>
 * <tr><td>pods-ready timeout, the condition PodsReady</td><td>PodsReadyRules</td>
 *     <td>EvictTest, PodsReadyRulesTest</td></tr>
 * <tr><td>drain, withdraw, queue restart</td><td>QueueRules</td><td>QueueRulesTest</td></tr>
 * <tr><td>R3 evict</td><td>EvictForRetry</td><td>EvictForRetryTest, GateOffTest</td></tr>
 * <tr><td>R10 time-out</td><td>EvictForRetry, ObservedEntries.Wait</td><td>PendingTimeoutTest</td></tr>
 * <tr><td>R2 admit</td><td>Admit</td><td>AdmitTest</td></tr>
 * <tr><td>checks after others</td><td>CheckSequence, WithheldChecks, Admit.addChecks, BeforeQuota</td>
 *     <td>OrderTest</td></tr>
 * <tr><td>alternatives, R14 set aside</td><td>CheckGroups, Alternatives, Entries.setAside,
 *     Deadline</td><td>AlternativesTest</td></tr>
 * <tr><td>R12 observe</td><td>Observe</td><td>ObserveTest</td></tr>
 * <tr><td>R13 ask</td><td>BeforeQuota</td><td>BeforeQuotaTest</td></tr>
 * <tr><td>R9 reactivate</td><td>Deactivation.reactivate</td><td>ReactivateTest</td></tr>
 * <tr><td>R6 requeue</td><td>Backoff.requeue, Entries.afterBackoff</td>
 *     <td>RequeueTest</td></tr>
 * <tr><td>R7 late Retry</td><td>Backoff.holdForStrayRetry</td><td>StrayRetryTest</td></tr>
 * <tr><td>R5 follow</td><td>Backoff.followDeadline, StatusDraft.updateRequeueAt</td>
 *     <td>LateUpdateTest</td></tr>
 * <tr><td>deadline, base, cap</td><td>Deadline, Observation, StatusDraft.recordDelays</td>
 *     <td>DeadlineTest</td></tr>
 * <tr><td>repair</td><td>Repair</td><td>RepairTest</td></tr>
 * <tr><td>spec.retry</td><td>RetryPolicy</td><td>RetryPolicyTest, DeadlineTest</td></tr>
 * <tr><td>spec.retryLimits</td><td>RetryLimits, Deadline</td><td>RetryLimitsTest</td></tr>
 * <tr><td>gate ACRequeueAfter off</td><td>Deadline</td><td>GateOffTest</td></tr>
 * </table>
 *
 * <p>All of them together, with the SDK's fence, crashes and late writes, are explored in e2e
 * (package {@code explore}), which also contains mutations that the exploration must detect.
 *
 * <p>Sources: KEP-993 (two-stage admission), KEP-1282 (requeuing of workloads that don't get
 * ready), KEP-3258 (delayed admission check retries). {@code docs/lifecycle.md} describes the
 * lifecycle for users.
 */
@NullMarked
package io.github.kueue4j.core.lifecycle;

import org.jspecify.annotations.NullMarked;
