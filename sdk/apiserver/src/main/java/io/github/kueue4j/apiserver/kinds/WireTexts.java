// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import io.github.kueue4j.api.Quantity;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Texts that stand for something else on the wire, and the decoder's words for those that don't.
 */
final class WireTexts {
  private static final String TIME = "2006-01-02T15:04:05Z07:00";
  private static final String MICRO_TIME = "2006-01-02T15:04:05.000000Z07:00";
  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final String QUANTITY =
      "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  private static final Pattern SIX_DIGITS = Pattern.compile(":[0-9]{2}\\.[0-9]{6}(Z|[+-])");

  private WireTexts() {}

  static Optional<String> quantityProblem(String text) {
    try {
      Quantity.parse(text);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(QUANTITY);
    }
  }

  static Optional<String> timeProblem(String text) {
    return timeProblem(text, TIME);
  }

  /** Exactly six digits of a second's fraction, as its layout says. */
  static Optional<String> microTimeProblem(String text) {
    return SIX_DIGITS.matcher(text).find()
        ? timeProblem(text, MICRO_TIME)
        : Optional.of(unparsable(text, MICRO_TIME));
  }

  /** The decoder also says at which part of the layout it stopped; here that is its beginning. */
  private static Optional<String> timeProblem(String text, String layout) {
    try {
      if (text.length() >= "2006-01-02T15:04:05Z".length()) {
        OffsetDateTime.parse(text);
        return Optional.empty();
      }
    } catch (DateTimeException e) {
      return Optional.of(unparsable(text, layout));
    }
    return Optional.of(unparsable(text, layout));
  }

  private static String unparsable(String text, String layout) {
    return "parsing time \"%s\" as \"%s\": cannot parse \"%s\" as \"2006\""
        .formatted(text, layout, text);
  }

  /** Base64 with padding; line ends may stand anywhere. */
  static Optional<String> base64Problem(String text) {
    int digits = 0;
    int quantum = 0;
    int padding = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n' || c == '\r') {
        continue;
      }
      if (digits % 4 == 0) {
        quantum = i;
      }
      boolean pads = c == '=' && digits % 4 >= 2;
      if (!pads && (padding > 0 || !isDigit(c))) {
        return illegal(i);
      }
      padding += pads ? 1 : 0;
      digits++;
    }
    return digits % 4 == 0 ? Optional.empty() : illegal(quantum);
  }

  private static boolean isDigit(char c) {
    return DIGITS.indexOf(c) >= 0;
  }

  private static Optional<String> illegal(int position) {
    return Optional.of("illegal base64 data at input byte " + position);
  }
}
