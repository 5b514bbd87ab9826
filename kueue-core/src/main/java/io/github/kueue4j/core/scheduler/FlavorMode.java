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
package io.github.kueue4j.core.scheduler;

/** How well a flavor serves a request; the later constant is the better one. */
enum FlavorMode {
  /** Not now, whoever is preempted. */
  NO_FIT,
  /** It would if others gave way, but there is nobody who must. */
  NO_CANDIDATES,
  /** Others give way, of the same ClusterQueue perhaps. */
  PREEMPT,
  /** Others give back what they borrowed. */
  RECLAIM,
  /** There is enough. */
  FIT;

  /** Whether it leads to quota, now or once others have given way. */
  boolean viable() {
    return compareTo(NO_CANDIDATES) > 0;
  }

  boolean preempts() {
    return this == PREEMPT || this == RECLAIM;
  }

  FlavorMode worse(FlavorMode other) {
    return compareTo(other) <= 0 ? this : other;
  }

  static FlavorMode of(PreemptionOracle.Possibility possibility) {
    return switch (possibility) {
      case NO_CANDIDATES -> NO_CANDIDATES;
      case PREEMPT -> PREEMPT;
      case RECLAIM -> RECLAIM;
    };
  }
}
