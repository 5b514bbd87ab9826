// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * What authors of admission checks use: one method that answers with a {@link
 * io.github.kueue4j.sdk.Verdict}, and a rule for delays, {@link io.github.kueue4j.sdk.Backoff}. It
 * begins with the use:
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
 * <p>There is nothing to guard against in {@code evaluate}: it is called only while its answer
 * matters, and an answer that comes too late is dropped ({@link io.github.kueue4j.sdk.fence}).
 * {@link io.github.kueue4j.sdk.controller.CheckController} runs it.
 *
 * <p>Rejected: windows as cron expressions. An expression names moments, not the time between them,
 * so a window would need two, which need not match; {@link io.github.kueue4j.sdk.TimeWindow} says
 * opening, closing and days, and needs no library.
 */
@NullMarked
package io.github.kueue4j.sdk;

import org.jspecify.annotations.NullMarked;
