// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.apiserver.cel.Cidr;
import io.github.kueue4j.apiserver.cel.IpAddress;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * The formats that the API checks. Unknown formats are ignored, as there; so are a few that no API
 * uses (isbn, creditcard, ssn, colours).
 */
final class Formats {

  private static final Pattern HOST_NAME =
      Pattern.compile(
          "[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?"
              + "(\\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*\\.?");
  private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s]+");
  private static final Pattern MAC =
      Pattern.compile("[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(\\1[0-9a-fA-F]{2}){4}");
  private static final Pattern UUID =
      Pattern.compile(
          "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final BigDecimal MIN_INT = BigDecimal.valueOf(Integer.MIN_VALUE);
  private static final BigDecimal MAX_INT = BigDecimal.valueOf(Integer.MAX_VALUE);
  private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

  private Formats() {}

  static boolean fits(String format, JsonNode value) {
    if (value.isTextual()) {
      return fitsText(format, value.textValue());
    }
    if (value.isNumber()) {
      return switch (format) {
        case "int32" -> value.canConvertToInt() || within(value.decimalValue(), MIN_INT, MAX_INT);
        case "int64" ->
            value.canConvertToLong() || within(value.decimalValue(), MIN_LONG, MAX_LONG);
        default -> true;
      };
    }
    return true;
  }

  private static boolean within(BigDecimal value, BigDecimal min, BigDecimal max) {
    return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
  }

  private static boolean fitsText(String format, String text) {
    return switch (format) {
      case "date-time", "datetime" -> isDateTime(text);
      case "date" -> parses(() -> LocalDate.parse(text));
      case "duration" -> GoDuration.isDuration(text);
      case "byte" -> isBase64(text);
      case "uri" -> isUri(text);
      case "email" -> EMAIL.matcher(text).matches();
      case "hostname" -> text.length() <= 255 && HOST_NAME.matcher(text).matches();
      case "ipv4" -> IpAddress.parse(text).filter(IpAddress::isIpv4).isPresent();
      case "ipv6" -> IpAddress.parse(text).filter(address -> !address.isIpv4()).isPresent();
      case "cidr" -> Cidr.parse(text).isPresent();
      case "mac" -> MAC.matcher(text).matches();
      case "uuid", "uuid3", "uuid4", "uuid5" -> UUID.matcher(text).matches();
      case "k8s-short-name" -> LABEL.matcher(text).matches();
      case "k8s-long-name" -> text.length() <= 253 && SUBDOMAIN.matcher(text).matches();
      default -> true;
    };
  }

  /** RFC 3339 with seconds. */
  static boolean isDateTime(String text) {
    return text.length() >= 20 && parses(() -> OffsetDateTime.parse(text.replace(' ', 'T')));
  }

  private static boolean parses(Runnable parse) {
    try {
      parse.run();
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text);
      return text.length() % 4 == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isUri(String text) {
    try {
      URI uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
