// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.github.kueue4j.api.Quantity.Format;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of quantities: reading all forms, writing the canonical one. */
final class QuantityText {

  /** The largest exponent; larger ones would need too much memory. */
  private static final int MAX_EXPONENT = 300;

  private static final int MAX_LENGTH = 256;

  // Leading zeros, "1." and ".5" are allowed, as on the API server.
  private static final Pattern FORM =
      Pattern.compile("([+-]?)([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+|[a-zA-Z]*)");

  private static final String DECIMAL_SUFFIXES = "num kMGTPE";
  private static final List<String> BINARY_SUFFIXES =
      List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final BigDecimal BINARY_FROM = BigDecimal.valueOf(1024);
  private static final BigDecimal BINARY_CAP = BigDecimal.valueOf(Long.MAX_VALUE);

  private QuantityText() {}

  static Quantity parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (text.length() > MAX_LENGTH || !matcher.matches()) {
      throw refuse(text, "it must be a decimal number with an optional suffix");
    }
    String suffix = matcher.group(3);
    BigDecimal number = new BigDecimal(matcher.group(2));
    BigDecimal signed = matcher.group(1).equals("-") ? number.negate() : number;
    if (suffix.isEmpty()) {
      return Quantity.of(signed, Format.DECIMAL_SI);
    }
    if (suffix.length() > 1
        && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')
        && !Character.isLetter(suffix.charAt(1))) {
      return Quantity.of(signed.scaleByPowerOfTen(exponent(text, suffix)), Format.DECIMAL_EXPONENT);
    }
    int binary = BINARY_SUFFIXES.indexOf(suffix);
    if (binary > 0) {
      return binary(signed.multiply(new BigDecimal(KIBI.pow(binary))));
    }
    int decimal = suffix.length() == 1 ? DECIMAL_SUFFIXES.indexOf(suffix) : -1;
    if (decimal < 0 || suffix.equals(" ")) {
      throw refuse(text, "its suffix \"" + suffix + "\" is unknown");
    }
    return Quantity.of(signed.scaleByPowerOfTen(3 * (decimal - 3)), Format.DECIMAL_SI);
  }

  private static Quantity binary(BigDecimal amount) {
    BigDecimal size = amount.abs().min(BINARY_CAP);
    // Less than one can't be written with a binary suffix.
    Format format = size.compareTo(BigDecimal.ONE) < 0 ? Format.DECIMAL_SI : Format.BINARY_SI;
    return Quantity.of(amount.signum() < 0 ? size.negate() : size, format);
  }

  private static int exponent(String text, String suffix) {
    String digits = suffix.substring(1);
    int exponent;
    try {
      exponent = Integer.parseInt(digits);
    } catch (NumberFormatException tooLong) {
      throw refuse(text, "its exponent is not within ±" + MAX_EXPONENT);
    }
    if (Math.abs(exponent) > MAX_EXPONENT) {
      throw refuse(text, "its exponent is not within ±" + MAX_EXPONENT);
    }
    return exponent;
  }

  private static IllegalArgumentException refuse(String text, String why) {
    String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
    return new IllegalArgumentException(
        "\"" + shown + "\" is not a quantity: " + why + ", such as 500m, 2, 1.5Gi or 1e6");
  }

  static String format(BigDecimal amount, Format format) {
    if (amount.signum() == 0) {
      return "0";
    }
    if (format == Format.BINARY_SI && isWhole(amount) && amount.abs().compareTo(BINARY_FROM) >= 0) {
      return formatBinary(amount.toBigIntegerExact());
    }
    return formatDecimal(amount, format);
  }

  private static boolean isWhole(BigDecimal amount) {
    return amount.scale() <= 0;
  }

  private static String formatBinary(BigInteger amount) {
    int power = 0;
    BigInteger rest = amount;
    while (power < BINARY_SUFFIXES.size() - 1) {
      BigInteger[] parts = rest.divideAndRemainder(KIBI);
      if (parts[1].signum() != 0) {
        break;
      }
      rest = parts[0];
      power++;
    }
    return rest + BINARY_SUFFIXES.get(power);
  }

  private static String formatDecimal(BigDecimal amount, Format format) {
    BigDecimal stripped = amount.stripTrailingZeros();
    // The exponent is the largest multiple of three that leaves a whole mantissa.
    int exponent = Math.floorDiv(-stripped.scale(), 3) * 3;
    BigInteger mantissa =
        stripped
            .scaleByPowerOfTen(-exponent)
            .setScale(0, RoundingMode.UNNECESSARY)
            .toBigIntegerExact();
    if (exponent == 0) {
      return mantissa.toString();
    }
    int suffix = exponent / 3 + 3;
    // Above E there is no suffix: such amounts are written with an exponent.
    return format == Format.DECIMAL_EXPONENT || suffix >= DECIMAL_SUFFIXES.length()
        ? mantissa + "e" + exponent
        : mantissa.toString() + DECIMAL_SUFFIXES.charAt(suffix);
  }
}
