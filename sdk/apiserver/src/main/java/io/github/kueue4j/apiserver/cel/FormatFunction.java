// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** CEL's {@code string.format(list)}: %s %d %f %e %b %x %X %o %%, with precisions. */
final class FormatFunction {

  private static final Pattern VERB = Pattern.compile("%(?:\\.([0-9]+))?([%sdfebxXo])|%");
  private static final int DEFAULT_PRECISION = 6;

  private FormatFunction() {}

  static void addTo(FunctionSet set) {
    set.member(
        "format",
        "k8s_string_format",
        SimpleType.STRING,
        List.of(
            new Argument(SimpleType.STRING, String.class),
            new Argument(ListType.create(SimpleType.DYN), List.class)),
        a -> format((String) a[0], (List<?>) a[1]));
  }

  private static String format(String template, List<?> values) {
    Iterator<?> next = values.iterator();
    StringBuilder text = new StringBuilder();
    Matcher verb = VERB.matcher(template);
    while (verb.find()) {
      String letter = verb.group(2);
      if (letter == null) {
        throw new IllegalArgumentException(
            "could not parse formatting clause: unrecognized formatting clause in " + template);
      }
      verb.appendReplacement(text, "");
      if (letter.equals("%")) {
        text.append('%');
        continue;
      }
      if (!next.hasNext()) {
        throw new IllegalArgumentException("index " + values.size() + " out of range");
      }
      int precision = verb.group(1) == null ? DEFAULT_PRECISION : Integer.parseInt(verb.group(1));
      text.append(one(letter.charAt(0), precision, next.next()));
    }
    return verb.appendTail(text).toString();
  }

  private static String one(char verb, int precision, Object value) {
    return switch (verb) {
      case 's' -> text(value);
      case 'f' -> String.format(Locale.ROOT, "%." + precision + "f", number(value));
      case 'e' -> String.format(Locale.ROOT, "%." + precision + "e", number(value));
      case 'b' ->
          value instanceof Boolean flag
              ? Integer.toString(flag ? 1 : 0)
              : Long.toBinaryString(integer(value));
      case 'x' -> hex(value);
      case 'X' -> hex(value).toUpperCase(Locale.ROOT);
      case 'o' -> Long.toOctalString(integer(value));
      default -> value instanceof Number ? text(value) : Long.toString(integer(value));
    };
  }

  private static String hex(Object value) {
    if (value instanceof String string) {
      return string
          .chars()
          .mapToObj(c -> String.format(Locale.ROOT, "%02x", c))
          .collect(Collectors.joining());
    }
    return Long.toHexString(integer(value));
  }

  private static long integer(Object value) {
    if (value instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException(
        "only integers can be formatted so, was given " + value.getClass().getSimpleName());
  }

  private static double number(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(
        "only numbers can be formatted so, was given " + value.getClass().getSimpleName());
  }

  private static String text(Object value) {
    return switch (value) {
      case NullValue unused -> "null";
      case Double number -> BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
      case Duration duration -> seconds(duration);
      case List<?> list ->
          list.stream().map(FormatFunction::text).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map -> {
        Map<String, String> sorted = new TreeMap<>();
        map.forEach((key, entry) -> sorted.put(text(key), text(entry)));
        yield sorted.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
      }
      default -> value.toString();
    };
  }

  private static String seconds(Duration duration) {
    BigDecimal nanos = BigDecimal.valueOf(duration.getNano(), 9);
    BigDecimal total = BigDecimal.valueOf(duration.getSeconds()).add(nanos);
    return (total.signum() == 0 ? "0" : total.stripTrailingZeros().toPlainString()) + "s";
  }
}
