// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Plays Kueue's part in the life of a Workload, step by step, on any API server: what a queue
 * controller would write, at the moments that a test chooses.
 *
 * <p>The testkit doesn't know the SDK: a test shares no code with what it tests, and the SDK's own
 * tests use the testkit. What the SDK starts, the testkit runs as an {@link
 * io.github.kueue4j.api.ServerProgram}. Rejected: a dependency on the SDK, for {@code
 * cluster.run(environment -> ...)} without {@code CheckStarter.of}. It is a cycle of modules unless
 * the SDK's tests move into a module of their own, away from what they test.
 */
@NullMarked
package io.github.kueue4j.testkit.script;

import org.jspecify.annotations.NullMarked;
