// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.apiguardian.api.API;

/** The notation of times in the API: RFC 3339, written in UTC. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ApiTime {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ApiTime() {}

  /**
   * Reads a time with any offset: {@code 12:00:00+08:00} is {@code 04:00:00Z}.
   *
   * @throws DateTimeException if the text is not an RFC 3339 time
   */
  public static Instant parse(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  /** Writes a time as {@code metav1.Time}: whole seconds, a fraction is cut off. */
  public static String format(Instant time) {
    return SECONDS.format(time);
  }

  /** Writes a time as {@code metav1.MicroTime}: always six decimals. */
  public static String formatMicro(Instant time) {
    return MICROS.format(time);
  }

  /** The earliest whole second that is not before {@code time}. */
  public static Instant roundUpToSecond(Instant time) {
    Instant floor = time.truncatedTo(ChronoUnit.SECONDS);
    return floor.equals(time) ? floor : floor.plusSeconds(1);
  }
}
