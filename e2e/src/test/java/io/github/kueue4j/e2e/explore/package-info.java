// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The lifecycle in a small world of its own: one Workload on a modelled API server, the core as the
 * real {@code Lifecycle}, checks that write through the SDK's real fence, and all others that may
 * step at any moment (scheduler, owner, a check that writes when it likes, user, administrator,
 * clock, crashes).
 *
 * <p>A {@link io.github.kueue4j.e2e.explore.World} is a few numbers, each of a distinct value in a
 * {@link io.github.kueue4j.e2e.explore.Space}, and its dates are relative to the present, so that
 * there is an end to all worlds. {@link io.github.kueue4j.e2e.explore.Explorer} walks through every
 * order of steps up to a bound, {@code RandomLivesTest} through long random ones. The invariants
 * are those of {@code docs/lifecycle.md}, held against every patch ({@link
 * io.github.kueue4j.e2e.explore.PatchInvariants}), every rest ({@link
 * io.github.kueue4j.e2e.explore.RestInvariants}), every verdict ({@link
 * io.github.kueue4j.e2e.explore.CheckActor}) and the graph of all worlds.
 */
@NullMarked
package io.github.kueue4j.e2e.explore;

import org.jspecify.annotations.NullMarked;
