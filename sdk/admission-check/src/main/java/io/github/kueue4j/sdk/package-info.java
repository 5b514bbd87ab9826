// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Admission checks, as their authors write them. First the use:
 *
 * <pre>{@code
 * Backoff backoff = Backoff.exponential(Duration.ofSeconds(30), 2).atMost(Duration.ofMinutes(30));
 *
 * CheckProgram.named(
 *         "license-check",
 *         environment ->
 *             CheckController.builder("example.com/license", environment)
 *                 .check(
 *                     evaluation ->
 *                         licenses.free() > 0
 *                             ? Verdict.ready("A license is free.")
 *                             : Verdict.retry(
 *                                 Reason.of("NoLicense"), "No license is free.", backoff))
 *                 .build())
 *     .runAndExit(arguments);
 * }</pre>
 *
 * <p>These eight are enough for most checks:
 *
 * <pre>
 *   CheckProgram ── starts ──> CheckController ── asks ──> Check
 *   (a main method;            (one per name)              (you write it)
 *    gives a CheckEnvironment)       │                       │   ▲
 *                                    │ reads                 │   │ Evaluation: one Workload, its
 *                                    ▼                       ▼   │ quota and the parameters
 *                               Parameters                Verdict
 *                               (what operators set)        └─ Retry: Reason, Backoff
 * </pre>
 *
 * <ul>
 *   <li>{@link io.github.kueue4j.sdk.Check}, {@link io.github.kueue4j.sdk.Evaluation}, {@link
 *       io.github.kueue4j.sdk.Verdict}, {@link io.github.kueue4j.sdk.Reason}, {@link
 *       io.github.kueue4j.sdk.Backoff}: the question and its answer;
 *   <li>{@link io.github.kueue4j.sdk.Parameters}: what operators set, from a ConfigMap or a custom
 *       resource;
 *   <li>{@link io.github.kueue4j.sdk.CheckController}, {@link
 *       io.github.kueue4j.sdk.program.CheckProgram}: what runs it.
 * </ul>
 *
 * <p>The others beside them are for needs that some checks have:
 *
 * <ul>
 *   <li>an answer of another kind: {@link io.github.kueue4j.sdk.ProbingCheck} also says how the
 *       backend is, {@link io.github.kueue4j.sdk.DelayEndingCheck} ends its delays early, {@link
 *       io.github.kueue4j.sdk.Cleanup} gives back what is held, a {@link
 *       io.github.kueue4j.sdk.Holding}; {@link io.github.kueue4j.sdk.ErrorPolicy} and {@link
 *       io.github.kueue4j.sdk.Circumstances} are for two more methods of {@link
 *       io.github.kueue4j.sdk.Check};
 *   <li>a failing backend: {@link io.github.kueue4j.sdk.BackendUnavailableException}, {@link
 *       io.github.kueue4j.sdk.NotAskedException}, {@link io.github.kueue4j.sdk.BackendReport};
 *   <li>counting: {@link io.github.kueue4j.sdk.Grants}; times of day: {@link
 *       io.github.kueue4j.sdk.TimeWindow}; limits: {@link io.github.kueue4j.sdk.Guards}; waking
 *       workloads: {@link io.github.kueue4j.sdk.Waker}.
 * </ul>
 *
 * <p>A check that looks at other objects of the cluster finds what it needs in {@link
 * io.github.kueue4j.sdk.objects}; one that works beside its verdicts, in {@link
 * io.github.kueue4j.sdk.maintenance}. The process is in {@link io.github.kueue4j.sdk.program}, what
 * the account of a check may do in {@link io.github.kueue4j.sdk.rbac}.
 *
 * <p>There is nothing to guard against in {@code evaluate}: it is called only while its answer
 * matters, and an answer that comes too late is dropped ({@code
 * docs/lifecycle.md#the-side-of-the-checks}). How that is done stands in {@code sdk.internal.fence}
 * and {@code sdk.internal.controller}, which no other module may use.
 */
@NullMarked
package io.github.kueue4j.sdk;

import org.jspecify.annotations.NullMarked;
