// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Nodes that are not in the cluster, but could be had, as an HTTP server tells: a cloud's stock.
 *
 * <p>They become nodes of the package {@code fit} that take only the pods of their flavor, so that
 * everything else, reservations and the waiting line included, treats them as it treats nodes of
 * the cluster. A server that can't be asked is an exception of the evaluation: nothing is let
 * through by what it said before.
 */
@NullMarked
package io.github.kueue4j.gpu.source;

import org.jspecify.annotations.NullMarked;
