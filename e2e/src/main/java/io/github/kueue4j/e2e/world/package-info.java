// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Simulated parts of a real cluster as ordinary API clients: nodes, running Jobs, an autoscaler.
 */
@NullMarked
package io.github.kueue4j.e2e.world;

import org.jspecify.annotations.NullMarked;
