// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The rules by which pods fit on nodes: a function of values, without a cluster, a clock or a log.
 *
 * <p>Pods of one pod set are equal, so that a pod set alone is placed exactly: each node takes as
 * many as it has room for. Several pod sets are placed one after the other, the largest pods first,
 * each on the nodes where the fewest GPUs stay free; where that fails, a second time, beginning
 * with those that the fewest nodes may take. This finds no placement that doesn't exist, but may
 * miss one. Pods of the same workload that must be apart, by their required podAntiAffinity or by a
 * port of their node, are placed apart; what they say of pods of others is not looked at, nor are
 * pod affinity, spreading and volumes.
 */
@NullMarked
package io.github.kueue4j.gpu.fit;

import org.jspecify.annotations.NullMarked;
