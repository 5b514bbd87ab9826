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
package io.github.kueue4j.e2e.demo;

import java.time.Duration;

/** Durations as a person says them: the two largest units. */
final class Durations {
  private Durations() {}

  /** {@code 2h14m}, {@code 8m}, {@code 45s}; negative ones are {@code 0s}. */
  static String brief(Duration duration) {
    if (duration.isNegative()) {
      return "0s";
    }
    long hours = duration.toHours();
    int minutes = duration.toMinutesPart();
    int seconds = duration.toSecondsPart();
    if (hours > 0) {
      return hours + "h" + (minutes > 0 ? minutes + "m" : "");
    }
    if (minutes > 0) {
      return minutes + "m" + (seconds > 0 ? seconds + "s" : "");
    }
    return seconds + "s";
  }
}
