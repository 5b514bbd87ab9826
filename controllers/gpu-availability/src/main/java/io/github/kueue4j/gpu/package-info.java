// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check: is there a node with room for each pod of the workload?
 *
 * <p>Quota says what a queue may use, not what works today: nodes break, are drained, or are used
 * by pods that no queue knows. Nodes, pods and workloads are followed as their watches tell, so
 * that an evaluation lists none of them ({@code Capacity}); the package {@code fit} finds places.
 * What is let through keeps its places until its pods are bound ({@code Reservations}). Nothing is
 * stored: after a restart the reservations are derived from the workloads' entries and the pods.
 * Only which workloads wait for what is kept in memory ({@code WaitingLine}): without a reservation
 * no object tells it.
 */
@NullMarked
package io.github.kueue4j.gpu;

import org.jspecify.annotations.NullMarked;
