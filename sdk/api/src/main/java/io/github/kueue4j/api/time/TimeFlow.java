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
package io.github.kueue4j.api.time;

import java.time.Instant;

/** How time passes: the clock of a {@link TimerThread} and its ratio to real time. */
sealed interface TimeFlow permits SystemFlow, ScaledFlow {

  Instant now();

  /**
   * Real nanoseconds from now until {@code when}, rounded up so that a wait of this length ends
   * when {@code when} has been reached; 0 or less if it has been; at most {@link Long#MAX_VALUE}.
   */
  long realNanosUntil(Instant when);
}
