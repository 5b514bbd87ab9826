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
package io.github.kueue4j.runtime;

import java.time.Duration;

/**
 * Exponential delay after failures in a row.
 *
 * @param base after the first failure; above zero
 * @param max the longest delay; at least the base
 */
record ErrorBackoff(Duration base, Duration max) {

  ErrorBackoff {
    if (base.isZero() || base.isNegative() || max.compareTo(base) < 0) {
      throw new IllegalArgumentException(
          "error backoff from " + base + " to " + max + ": base must be above zero, max not below");
    }
  }

  /**
   * The delay after this many failures in a row.
   *
   * @param failures at least 1
   */
  Duration after(int failures) {
    Duration delay = base;
    for (int i = 1; i < failures && delay.compareTo(max) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(max) > 0 ? max : delay;
  }
}
