// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A trial of a Job as if it were created now: defaulted and reviewed as by the webhooks, made a
 * Workload as by its owner, and scheduled on a State of its own that was told what was read from
 * the cluster. Nothing is written.
 *
 * <p>{@link io.github.kueue4j.observe.dryrun.DryRun} is a pure function of the time and of the
 * objects that {@link io.github.kueue4j.observe.dryrun.DryRunInputReader} reads.
 */
@NullMarked
package io.github.kueue4j.observe.dryrun;

import org.jspecify.annotations.NullMarked;
