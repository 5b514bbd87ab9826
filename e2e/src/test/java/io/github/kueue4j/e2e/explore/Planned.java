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

import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Rule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A plan of the lifecycle, as numbers of a {@link Space}.
 *
 * @param phase of the object that it is for
 * @param rule that acts; absent if none does
 * @param spec whether it patches the spec
 * @param after the object as it shall be
 * @param observed what the core remembers whatever becomes of the patch
 * @param applied what it remembers once the patch has arrived
 * @param wakeAt when to plan again at the latest
 * @param step the name of the step in a trace
 */
record Planned(
    Phase phase,
    @Nullable Rule rule,
    boolean spec,
    int after,
    int observed,
    int applied,
    @Nullable Instant wakeAt,
    String step) {}
