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
package io.github.kueue4j.testkit.schema;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API's durations: {@code 1h30m}, {@code -1.5s}, {@code 0}. */
final class GoDuration {

  private static final Pattern WHOLE =
      Pattern.compile("[-+]?(0|((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

  private GoDuration() {}

  static boolean isDuration(String text) {
    return WHOLE.matcher(text).matches();
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Duration parse(String text) {
    if (!isDuration(text)) {
      throw new IllegalArgumentException(
          "not a duration: \"" + text + "\", write it as 1h30m or 10s");
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long unit =
          switch (part.group(2)) {
            case "h" -> 3_600_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "s" -> 1_000_000_000L;
            case "ms" -> 1_000_000L;
            case "ns" -> 1L;
            default -> 1_000L;
          };
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    Duration duration = Duration.ofNanos(nanos.longValue());
    return text.startsWith("-") ? duration.negated() : duration;
  }
}
