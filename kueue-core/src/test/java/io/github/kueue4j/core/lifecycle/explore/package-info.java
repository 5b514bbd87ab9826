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
 * real {@code Lifecycle}, and actors that may step at any moment (scheduler, owner, checks, user,
 * administrator, clock, crashes).
 *
 * <p>{@link io.github.kueue4j.core.lifecycle.explore.Explorer} walks through every order of their
 * steps up to a bound, {@code LifecycleSimulationTest} through random ones; both hold each world
 * against {@link io.github.kueue4j.core.lifecycle.explore.Invariants}. It uses the public types of
 * the lifecycle only.
 */
@NullMarked
package io.github.kueue4j.core.lifecycle.explore;

import org.jspecify.annotations.NullMarked;
