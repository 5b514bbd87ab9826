// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The notation of times in the API: RFC 3339, written in UTC. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ApiTime {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String FORM = "0000-00-00T00:00:00Z";

  private ApiTime() {}

  /**
   * Reads a time with any offset: {@code 12:00:00+08:00} is {@code 04:00:00Z}.
   *
   * @throws DateTimeException if the text is not an RFC 3339 time
   */
  public static Instant parse(String text) {
    Instant written = asWritten(text);
    return written == null ? OffsetDateTime.parse(text).toInstant() : written;
  }

  /**
   * The time in the form that API servers write, whole seconds in UTC; null if it has another one,
   * or is none. Each version of each object has several, and a formatter makes many times the
   * objects of this.
   */
  private static @Nullable Instant asWritten(String text) {
    if (text.length() != FORM.length()) {
      return null;
    }
    for (int i = 0; i < FORM.length(); i++) {
      char expected = FORM.charAt(i);
      char found = text.charAt(i);
      if (expected == '0' ? found < '0' || found > '9' : found != expected) {
        return null;
      }
    }
    try {
      LocalDate day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
      LocalTime time =
          LocalTime.of(number(text, 11, 13), number(text, 14, 16), number(text, 17, 19));
      return Instant.ofEpochSecond(day.toEpochSecond(time, ZoneOffset.UTC));
    } catch (DateTimeException noSuchTime) {
      return null; // The formatter says what is wrong.
    }
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
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
