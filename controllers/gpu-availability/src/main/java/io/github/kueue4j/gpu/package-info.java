// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check: are as many GPUs free as the workload reserved quota for?
 *
 * <p>Quota says what a queue may use, not what works today: nodes break, are drained, or are used
 * by pods that no queue knows. For every flavor that gave quota for a GPU resource the check counts
 *
 * <pre>free = allocatable on ready, schedulable nodes with the flavor's node labels
 *      - requests of pods on these nodes
 *      - what workloads have reserved on this flavor that it let through or that are admitted</pre>
 *
 * where pods of a workload that is counted already count for what they request beyond its
 * reservation. Nothing is stored, and verdicts depend on objects alone, so that a restart changes
 * none of them. Only what workloads in their delay wait for is kept in memory: without a
 * reservation no object tells it.
 */
@NullMarked
package io.github.kueue4j.gpu;

import org.jspecify.annotations.NullMarked;
