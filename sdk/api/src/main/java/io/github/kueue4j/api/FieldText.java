// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.api.time.GoDuration;
import java.math.BigDecimal;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How texts in fields are read as values, and what to write where that fails. */
final class FieldText {

  /**
   * A type that a text can be read as.
   *
   * @param remedy what to write
   * @param parser throws an IllegalArgumentException, a DateTimeException or an ArithmeticException
   */
  private record Kind(String remedy, Function<String, Object> parser) {}

  private static final Kind FLAG = new Kind("write true or false", FieldText::flag);
  private static final Kind INTEGER =
      new Kind("write a whole number", text -> new BigDecimal(text).intValueExact());
  private static final Kind LONG =
      new Kind("write a whole number", text -> new BigDecimal(text).longValueExact());
  private static final Kind DOUBLE = new Kind("write a number", FieldText::finite);

  /** Numbers and flags are texts in ConfigMaps only. */
  private static final Map<Class<?>, Kind> SCALARS =
      Map.of(
          boolean.class, FLAG,
          Boolean.class, FLAG,
          int.class, INTEGER,
          Integer.class, INTEGER,
          long.class, LONG,
          Long.class, LONG,
          double.class, DOUBLE,
          Double.class, DOUBLE,
          BigDecimal.class, new Kind("write a number", BigDecimal::new));

  private static final Map<Class<?>, Kind> TEXTS =
      Map.of(
          String.class, new Kind("write a text", text -> text),
          Duration.class, new Kind("write a duration such as 1h30m or 45s", GoDuration::parse),
          Instant.class, new Kind("write a time such as 2026-06-01T22:00:00Z", ApiTime::parse),
          LocalTime.class, new Kind("write a time of day such as 22:00", LocalTime::parse),
          LocalDate.class, new Kind("write a date such as 2026-06-01", LocalDate::parse),
          ZoneId.class, new Kind("write a time zone such as Europe/Berlin", ZoneId::of),
          URI.class, new Kind("write a URI such as https://example.com/api", URI::create),
          Quantity.class, new Kind("write a quantity such as 500m or 4Gi", Quantity::parse));

  private FieldText() {}

  /** Whether this is a number or a flag. */
  static boolean isScalar(Class<?> type) {
    return SCALARS.containsKey(type);
  }

  /** Whether a text can be read as this type. */
  static boolean reads(Class<?> type) {
    return isScalar(type) || TEXTS.containsKey(type) || type.isEnum();
  }

  /** The remedy for a field of this type: a value that it can be read from. */
  static String remedy(Class<?> type) {
    return type.isEnum()
        ? "write one of "
            + Arrays.stream(type.getEnumConstants())
                .map(constant -> camel(((Enum<?>) constant).name()))
                .collect(Collectors.joining(", "))
        : kind(type).remedy();
  }

  /** The value; empty if the text can't be read as this type. */
  static Optional<Object> parse(String text, Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(Object.class::cast)
          .filter(constant -> plain(((Enum<?>) constant).name()).equals(plain(text)))
          .findFirst();
    }
    try {
      return Optional.of(kind(type).parser().apply(text));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException none) {
      return Optional.empty();
    }
  }

  private static Kind kind(Class<?> type) {
    Kind scalar = SCALARS.get(type);
    Kind found = scalar == null ? TEXTS.get(type) : scalar;
    if (found == null) {
      throw new IllegalStateException("no text can be read as " + type.getName());
    }
    return found;
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static double finite(String text) {
    double number = new BigDecimal(text).doubleValue();
    if (Double.isInfinite(number)) {
      throw new ArithmeticException(text);
    }
    return number;
  }

  /** {@code NIGHTS_ONLY} as {@code NightsOnly}, which is how the API writes such words. */
  private static String camel(String constant) {
    return Arrays.stream(constant.split("_"))
        .filter(word -> !word.isEmpty())
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  private static String plain(String word) {
    return word.replace("_", "").toLowerCase(Locale.ROOT);
  }
}
