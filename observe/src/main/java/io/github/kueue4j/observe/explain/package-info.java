// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Explains why a Workload isn't running, by the one dominant reason, from the objects alone.
 *
 * <p>{@link io.github.kueue4j.observe.explain.Explain} is a pure function of the time and of the
 * objects that {@link io.github.kueue4j.observe.explain.ExplainInputReader} reads. It needs no
 * access to the core and keeps no history, so a dashboard, a bot or a test can use it too.
 */
@NullMarked
package io.github.kueue4j.observe.explain;

import org.jspecify.annotations.NullMarked;
