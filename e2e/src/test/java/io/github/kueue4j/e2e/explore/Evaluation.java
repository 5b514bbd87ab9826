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

import io.github.kueue4j.sdk.fence.Token;
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
