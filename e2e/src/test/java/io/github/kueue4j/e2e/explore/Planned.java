// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
