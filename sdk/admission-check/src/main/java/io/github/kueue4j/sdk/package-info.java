// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * What authors of admission checks use. It begins with the use:
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
 * <p>The others are for needs that some checks have: {@link io.github.kueue4j.sdk.objects.Watch}
 * for a check that looks at other objects, {@link io.github.kueue4j.sdk.DelayEndingCheck}, {@link
 * io.github.kueue4j.sdk.ProbingCheck} and {@link io.github.kueue4j.sdk.Cleanup} for one that can do
 * more, {@link io.github.kueue4j.sdk.Grants} for one that counts, {@link
 * io.github.kueue4j.sdk.maintenance.Maintenance} for work beside verdicts, {@link
 * io.github.kueue4j.sdk.Guards} for limits.
 *
 * <p>There is nothing to guard against in {@code evaluate}: it is called only while its answer
 * matters, and an answer that comes too late is dropped ({@code
 * docs/lifecycle.md#the-side-of-the-checks}). How that is done stands in {@code sdk.internal.fence}
 * and {@code sdk.internal.controller}, which no other module may use. What the account of a check
 * may do is in {@link io.github.kueue4j.sdk.rbac}.
 */
@NullMarked
package io.github.kueue4j.sdk;

import org.jspecify.annotations.NullMarked;
