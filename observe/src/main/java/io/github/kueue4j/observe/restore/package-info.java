// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Puts the admissions of running Jobs back after their Workloads, or the statuses of those, were
 * lost: {@link io.github.kueue4j.observe.restore.WorkloadBackup} is what was kept, {@link
 * io.github.kueue4j.observe.restore.Restoration} writes it to a cluster in which no core runs.
 *
 * {@snippet :
 * WorkloadBackup backup = WorkloadBackup.of(api); // before the loss
 * RestoreReport report = new Restoration(api).restore(backup, time.instant()); // after it
 * }
 *
 * <p>What is decided about one Workload is a function of values ({@link
 * io.github.kueue4j.observe.restore.RestorePlanner}). Like explain, it is a reader from outside: it
 * uses the pure packages of the core, and has to work while no core runs.
 */
@NullMarked
package io.github.kueue4j.observe.restore;

import org.jspecify.annotations.NullMarked;
