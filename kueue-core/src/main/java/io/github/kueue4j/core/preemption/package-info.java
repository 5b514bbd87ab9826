// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Preemption: the candidates, their order, and the search for a minimal set of targets. Functions
 * of values; the eviction itself is carried out elsewhere.
 */
@NullMarked
package io.github.kueue4j.core.preemption;

import org.jspecify.annotations.NullMarked;
