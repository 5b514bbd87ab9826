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
package io.github.kueue4j.core.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the Kubernetes component configurations write them: Go's notation. */
final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");
  private static final Map<String, Long> NANOSECONDS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /** Parses a signed sum such as {@code -1h30.5s}; empty if it isn't one or exceeds 292 years. */
  static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    BigDecimal nanoseconds = BigDecimal.ZERO;
    Matcher part = PART.matcher(rest);
    int end = 0;
    while (end < rest.length() && part.find(end) && part.start() == end) {
      BigDecimal unit = BigDecimal.valueOf(NANOSECONDS.getOrDefault(part.group(2), 0L));
      nanoseconds = nanoseconds.add(new BigDecimal(part.group(1)).multiply(unit));
      end = part.end();
    }
    if (rest.isEmpty()
        || end != rest.length()
        || nanoseconds.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return Optional.empty();
    }
    long magnitude = nanoseconds.longValue();
    return Optional.of(Duration.ofNanos(negative ? -magnitude : magnitude));
  }
}
