// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Rule;
import org.jspecify.annotations.Nullable;

/**
 * A patch of the core's worker that was planned and has not arrived yet. It is dropped as soon as
 * another actor writes, because the API server would answer with a conflict.
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
    @Nullable ObservedEntries applied,
    boolean victims) {

  /** Number of the empty flight. */
  static final int NONE = 0;

  static final Flight EMPTY = new Flight(null, false, null, null, false);
}
