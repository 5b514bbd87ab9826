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
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Sightings;
import org.jspecify.annotations.Nullable;

/**
 * A patch of the core's worker that was planned and has not arrived yet. It is dropped as soon as
 * anybody else writes, because the API server would answer with a conflict.
 *
 * @param rule that planned it; absent stands for no patch
 * @param spec whether it patches the spec
 * @param after the object as it shall be
 * @param applied what the core remembers once it has arrived
 * @param victims whether the reservation that it makes waits for victims
 */
record Flight(
    @Nullable Rule rule,
    boolean spec,
    @Nullable Workload after,
    @Nullable Sightings applied,
    boolean victims) {

  /** Number of the empty flight. */
  static final int NONE = 0;

  static final Flight EMPTY = new Flight(null, false, null, null, false);
}
