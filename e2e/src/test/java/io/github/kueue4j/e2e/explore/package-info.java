/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

/**
 * The lifecycle in a small world of its own: one Workload on a modelled API server, the core as the
 * real {@code Lifecycle}, checks that write through the SDK's real fence, and everybody else who
 * may step at any moment (scheduler, owner, a check that writes when it likes, user, administrator,
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
