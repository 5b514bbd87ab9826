// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check: a daily budget per namespace.
 *
 * <p>The budget stands in a ConfigMap named {@code daily-budget}; a namespace without one has no
 * limit. Every workload that the check lets through is charged at once, in full, on the day on
 * which it was let through:
 *
 * <pre>cost = hours · Σ over resources (price per unit and hour · reserved amount)</pre>
 *
 * where the hours are the workload's {@code maximumExecutionTimeSeconds}, or {@code hours} of the
 * ConfigMap for a workload without such a limit. Nothing is stored: the money spent today is the
 * cost of the namespace's Workloads whose entry of this check became Ready today. So a restart
 * forgets nothing, a workload that was evicted is not charged until it is let through again, and
 * one whose Workload object was deleted is not charged any more: keep finished workloads for a day.
 */
@NullMarked
package io.github.kueue4j.budget;

import org.jspecify.annotations.NullMarked;
