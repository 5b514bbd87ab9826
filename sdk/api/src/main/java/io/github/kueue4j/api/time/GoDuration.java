// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The notation of durations in the API ({@code metav1.Duration}): {@code 1h30m}, {@code 500ms}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GoDuration {

  private static final Pattern PART = Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)([a-zµμ]+)");

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

  private GoDuration() {}

  /**
   * Reads a duration; fractions of a nanosecond are cut off.
   *
   * @param text numbers with units, for example {@code 1h30m} or {@code -1.5s}; {@code 0} needs
   *     none
   * @throws IllegalArgumentException if the text is not a duration, or is longer than about 292
   *     years
   */
  public static Duration parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(rest);
    int end = 0;
    while (part.find() && part.start() == end) {
      Long unit = NANOS.get(part.group(2));
      if (unit == null) {
        throw refuse(text);
      }
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    if (rest.isEmpty() || end != rest.length() || nanos.compareTo(MAX_NANOS) > 0) {
      throw refuse(text);
    }
    long whole = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
    return Duration.ofNanos(negative ? -whole : whole);
  }

  /** Whether {@link #parse} accepts the text. */
  public static boolean isDuration(String text) {
    try {
      parse(text);
      return true;
    } catch (IllegalArgumentException notOne) {
      return false;
    }
  }

  private static IllegalArgumentException refuse(String text) {
    return new IllegalArgumentException(
        "\""
            + text
            + "\" is not a duration: write numbers with units, such as 1h30m, 45s or 500ms");
  }

  /** Writes a duration: {@code 1h30m0s}, {@code 1.5s}, {@code 500ms}, {@code 0s}. */
  public static String format(Duration duration) {
    if (duration.isNegative()) {
      return "-" + format(duration.negated());
    }
    long seconds = duration.toSeconds();
    if (seconds == 0) {
      return formatBelowSecond(duration.toNanosPart());
    }
    StringBuilder text = new StringBuilder();
    if (seconds >= 3600) {
      text.append(seconds / 3600).append('h');
    }
    if (seconds >= 60) {
      text.append(seconds / 60 % 60).append('m');
    }
    BigDecimal rest =
        BigDecimal.valueOf(seconds % 60).add(BigDecimal.valueOf(duration.toNanosPart(), 9));
    return text.append(plain(rest)).append('s').toString();
  }

  private static String formatBelowSecond(int nanos) {
    if (nanos == 0) {
      return "0s";
    }
    if (nanos < 1_000) {
      return nanos + "ns";
    }
    return nanos < 1_000_000
        ? plain(BigDecimal.valueOf(nanos, 3)) + "µs"
        : plain(BigDecimal.valueOf(nanos, 6)) + "ms";
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
