// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.sdk.internal.fence.Token;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation of a check that is under way.
 *
 * @param token what it began with; absent stands for no evaluation
 * @param admitted whether the Workload was admitted then
 * @param current whether the reservation it judges is still the Workload's last one: only an
 *     observer can tell
 */
record Evaluation(@Nullable Token token, boolean admitted, boolean current) {

  /** Number of no evaluation. */
  static final int NONE = 0;

  static final Evaluation EMPTY = new Evaluation(null, false, false);

  Evaluation outdated() {
    return new Evaluation(token, admitted, false);
  }
}
