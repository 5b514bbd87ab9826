// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.sdk.internal.fence.Token;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation of a check that is under way.
 *
 * @param token what it began with; absent stands for no evaluation
 * @param current whether the reservation it judges is still the Workload's last one: only an
 *     observer can tell
 */
record Evaluation(@Nullable Token token, boolean current) {

  /** Number of no evaluation. */
  static final int NONE = 0;

  static final Evaluation EMPTY = new Evaluation(null, false);

  Evaluation outdated() {
    return new Evaluation(token, false);
  }
}
