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
package io.github.kueue4j.core.explain;

import java.time.Duration;
import org.apiguardian.api.API;

/** Durations as a person says them: the two largest units that count. */
@API(status = API.Status.INTERNAL)
public final class Spans {
  private Spans() {}

  /** {@code 2d3h}, {@code 14h}, {@code 8m}, {@code 1m30s}, {@code 0s}; the sign is dropped. */
  public static String words(Duration duration) {
    Duration span = duration.abs();
    long days = span.toDays();
    int hours = span.toHoursPart();
    int minutes = span.toMinutesPart();
    int seconds = span.toSecondsPart();
    if (days > 0) {
      return days + "d" + (hours > 0 ? hours + "h" : "");
    }
    if (hours > 0) {
      return hours + "h" + (minutes > 0 ? minutes + "m" : "");
    }
    if (minutes > 0) {
      return minutes + "m" + (seconds > 0 ? seconds + "s" : "");
    }
    return seconds + "s";
  }
}
