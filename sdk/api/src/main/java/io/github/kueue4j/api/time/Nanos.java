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

import java.time.Duration;

/** Durations as a long of nanoseconds, which ends at about 292 years. */
final class Nanos {

  private static final Duration MOST = Duration.ofNanos(Long.MAX_VALUE);
  private static final Duration LEAST = Duration.ofNanos(Long.MIN_VALUE);

  private Nanos() {}

  static long saturated(Duration duration) {
    if (duration.compareTo(MOST) >= 0) {
      return Long.MAX_VALUE;
    }
    return duration.compareTo(LEAST) <= 0 ? Long.MIN_VALUE : duration.toNanos();
  }
}
