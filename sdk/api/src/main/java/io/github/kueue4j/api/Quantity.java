// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apiguardian.api.API;

/**
 * An exact amount of a resource, with the semantics of {@code resource.Quantity} of the Kubernetes
 * API: {@code 500m}, {@code 1.5Gi}, {@code 12e6}, {@code 1Ei}.
 *
 * <p>Two quantities are equal when their amounts are, however they are written. The finest amount
 * is one billionth ({@code 1n}); anything finer is rounded away from zero, so that a tiny request
 * doesn't become zero. Binary suffixes are capped at 2^63-1, as on the API server.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Quantity implements Comparable<Quantity> {

  /** The notation of an amount; it is kept through arithmetic. */
  public enum Format {
    /** Powers of ten: {@code n u m k M G T P E}. */
    DECIMAL_SI,
    /** Powers of 1024: {@code Ki Mi Gi Ti Pi Ei}. */
    BINARY_SI,
    /** Powers of ten with an exponent: {@code e3}. */
    DECIMAL_EXPONENT
  }

  /** Zero. */
  public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI);

  /** One. */
  public static final Quantity ONE = new Quantity(BigDecimal.ONE, Format.DECIMAL_SI);

  /** Digits after the decimal point that an amount can hold. */
  static final int NANO_SCALE = 9;

  private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);

  private final BigDecimal amount;
  private final Format format;

  private Quantity(BigDecimal amount, Format format) {
    this.amount = canonicalScale(amount);
    this.format = format;
  }

  /**
   * Reads a quantity as the API server does.
   *
   * @param text for example {@code 500m}
   * @throws IllegalArgumentException if the text is not a quantity; the message says what is wrong
   */
  public static Quantity parse(String text) {
    return QuantityText.parse(text);
  }

  /** This many whole units. */
  public static Quantity of(long units) {
    return new Quantity(BigDecimal.valueOf(units), Format.DECIMAL_SI);
  }

  /** This many thousandths of a unit. */
  public static Quantity ofMilli(long thousandths) {
    return new Quantity(BigDecimal.valueOf(thousandths, 3), Format.DECIMAL_SI);
  }

  /** This amount, rounded away from zero to billionths. */
  public static Quantity of(BigDecimal amount, Format format) {
    return new Quantity(amount, format);
  }

  /** Converts from the client's type, which can neither write nor compare all amounts. */
  public static Quantity ofClient(io.kubernetes.client.custom.Quantity quantity) {
    Format format =
        switch (quantity.getFormat()) {
          case BINARY_SI -> Format.BINARY_SI;
          case DECIMAL_SI -> Format.DECIMAL_SI;
          case DECIMAL_EXPONENT -> Format.DECIMAL_EXPONENT;
        };
    return new Quantity(quantity.getNumber(), format);
  }

  /** The same amount in the client's type. */
  public io.kubernetes.client.custom.Quantity toClient() {
    return new io.kubernetes.client.custom.Quantity(
        amount,
        switch (format) {
          case BINARY_SI -> io.kubernetes.client.custom.Quantity.Format.BINARY_SI;
          case DECIMAL_SI -> io.kubernetes.client.custom.Quantity.Format.DECIMAL_SI;
          case DECIMAL_EXPONENT -> io.kubernetes.client.custom.Quantity.Format.DECIMAL_EXPONENT;
        });
  }

  /** The exact amount. */
  public BigDecimal amount() {
    return amount;
  }

  /** The notation of the amount. */
  public Format format() {
    return format;
  }

  /** -1, 0 or 1. */
  public int signum() {
    return amount.signum();
  }

  /** Whether the amount is 0. */
  public boolean isZero() {
    return amount.signum() == 0;
  }

  /**
   * The amount in whole units, rounded up, at most {@link Long#MAX_VALUE} and at least its minimum.
   */
  public long value() {
    return saturated(amount);
  }

  /** The amount in thousandths, rounded up, within the bounds of a long. */
  public long milliValue() {
    return saturated(amount.movePointRight(3));
  }

  /** The sum, in the notation of this one, or of the other if this one is 0. */
  public Quantity add(Quantity other) {
    return new Quantity(amount.add(other.amount), isZero() ? other.format : format);
  }

  /** The difference, in the notation of this one, or of the other if this one is 0. */
  public Quantity subtract(Quantity other) {
    return new Quantity(amount.subtract(other.amount), isZero() ? other.format : format);
  }

  /** The product. */
  public Quantity multiply(long factor) {
    return new Quantity(amount.multiply(BigDecimal.valueOf(factor)), format);
  }

  /** The product, rounded away from zero to billionths. */
  public Quantity multiply(BigDecimal factor) {
    return new Quantity(amount.multiply(factor), format);
  }

  /** The larger of the two; this one if they are equal. */
  public Quantity max(Quantity other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** The smaller of the two; this one if they are equal. */
  public Quantity min(Quantity other) {
    return compareTo(other) <= 0 ? this : other;
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  /** Whether the other is a quantity of the same amount, however it is written. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
  }

  @Override
  public int hashCode() {
    // The scale is canonical, so equal amounts have equal BigDecimals.
    return amount.hashCode();
  }

  /** The canonical text, as the API server writes it. */
  @Override
  public String toString() {
    return QuantityText.format(amount, format);
  }

  private static BigDecimal canonicalScale(BigDecimal amount) {
    if (amount.signum() == 0) {
      return BigDecimal.ZERO;
    }
    BigDecimal rounded =
        amount.scale() > NANO_SCALE ? amount.setScale(NANO_SCALE, RoundingMode.UP) : amount;
    return rounded.stripTrailingZeros();
  }

  private static long saturated(BigDecimal amount) {
    if (amount.compareTo(MAX_LONG) >= 0) {
      return Long.MAX_VALUE;
    }
    if (amount.compareTo(MIN_LONG) <= 0) {
      return Long.MIN_VALUE;
    }
    BigInteger whole = amount.setScale(0, RoundingMode.CEILING).toBigIntegerExact();
    return whole.longValueExact();
  }
}
