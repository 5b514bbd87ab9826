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

/** What the lifecycle is asked for. */
enum Order {
  /** What to do next. */
  PLAN(0),
  /** As {@link #PLAN}, by a core that has just started. */
  PLAN_AFTER_RESTART(1),
  /** To reserve the flavor that requires every check. */
  RESERVE(2),
  /** To reserve the flavor that requires only the first check. */
  RESERVE_OTHER(3),
  /** To say that there is no quota. */
  NOT_RESERVED(4),
  /** To evict for another Workload. */
  PREEMPT(5),
  /** To evict because the pods aren't ready. */
  PODS_READY_TIMEOUT(6),
  /** To deactivate because it ran for too long. */
  EXCEED_LIMIT(7),
  /** To say that the owner has finished. */
  FINISH(8);

  /** Tells it from the others in the keys of what was asked. */
  private final int number;

  Order(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
