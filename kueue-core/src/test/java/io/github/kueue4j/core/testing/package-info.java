// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Fixtures of the core's tests.
 *
 * <ul>
 *   <li>{@link io.github.kueue4j.core.testing.TestCluster}: a real core on an embedded API server,
 *       in simulated time. It is the world; {@link io.github.kueue4j.core.testing.ClusterActors}
 *       act in it, and {@link io.github.kueue4j.core.testing.ClusterObservations} are what a test
 *       sees of it. {@link io.github.kueue4j.core.testing.JobSets} adds JobSets and their
 *       controller.
 *   <li>{@link io.github.kueue4j.core.testing.TeamState}: the scheduler's State alone, fed with
 *       objects; {@link io.github.kueue4j.core.testing.OneQueue} is the smallest configuration.
 * </ul>
 */
@NullMarked
package io.github.kueue4j.core.testing;

import org.jspecify.annotations.NullMarked;
