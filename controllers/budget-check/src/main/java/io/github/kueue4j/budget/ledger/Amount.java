// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import io.github.kueue4j.api.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apiguardian.api.API;

/**
 * An exact amount of a budget's unit, 0 or more and at most 10^18 units. It is counted in ticks: a
 * tick is a millionth of the unit per hour, for one second. So the cost of any whole number of
 * seconds is exact, and the parts of a run add up to the whole. Sums and products beyond the
 * largest amount stay there, differences below zero are zero.
 *
 * @param ticks 1/3,600,000,000 of the unit
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Amount(BigInteger ticks) implements Comparable<Amount> {

  private static final BigInteger TICKS_PER_UNIT = BigInteger.valueOf(3_600_000_000L);
  private static final BigInteger MOST = BigInteger.TEN.pow(18).multiply(TICKS_PER_UNIT);
  private static final BigDecimal LARGEST_GIVEN = BigDecimal.TEN.pow(12);
  private static final int DECIMALS = 6;

  /** Nothing. */
  public static final Amount ZERO = new Amount(BigInteger.ZERO);

  /** Keeps it within the bounds. */
  public Amount {
    ticks = ticks.max(BigInteger.ZERO).min(MOST);
  }

  /** This many units. */
  public static Amount units(long units) {
    return new Amount(BigInteger.valueOf(units).multiply(TICKS_PER_UNIT));
  }

  /**
   * An amount that a person wrote.
   *
   * @throws IllegalArgumentException if it is negative, above 10^12 or has more than six decimals;
   *     the message is an order: what to write instead
   */
  public static Amount of(Quantity quantity) {
    return new Amount(
        micros(quantity, DECIMALS).multiply(TICKS_PER_UNIT).divide(BigInteger.TEN.pow(DECIMALS)));
  }

  /** The amount that a person wrote, in units of this many decimals. */
  static BigInteger micros(Quantity quantity, int decimals) {
    BigDecimal amount = quantity.amount();
    if (amount.signum() < 0 || amount.compareTo(LARGEST_GIVEN) > 0 || amount.scale() > decimals) {
      throw new IllegalArgumentException(
          "write an amount from 0 to 10^12 with at most " + decimals + " decimals");
    }
    return amount.movePointRight(decimals).toBigIntegerExact();
  }

  /** The sum. */
  public Amount plus(Amount other) {
    return new Amount(ticks.add(other.ticks));
  }

  /** The difference; zero if the other is larger. */
  public Amount minus(Amount other) {
    return new Amount(ticks.subtract(other.ticks));
  }

  /** This many hundredths of the amount, rounded down. */
  public Amount percent(int percent) {
    return new Amount(ticks.multiply(BigInteger.valueOf(percent)).divide(BigInteger.valueOf(100)));
  }

  /** The smaller of the two. */
  public Amount min(Amount other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** The larger of the two. */
  public Amount max(Amount other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** Whether this is more than the other. */
  public boolean exceeds(Amount other) {
    return compareTo(other) > 0;
  }

  /** Whether it is nothing. */
  public boolean isZero() {
    return ticks.signum() == 0;
  }

  /** The amount in units, for metrics. */
  public double toDouble() {
    return new BigDecimal(ticks).doubleValue() / TICKS_PER_UNIT.doubleValue();
  }

  /** The amount in units with six decimals at most, rounded half up, for programs. */
  public BigDecimal toDecimal() {
    BigDecimal rounded =
        new BigDecimal(ticks)
            .divide(new BigDecimal(TICKS_PER_UNIT), DECIMALS, RoundingMode.HALF_UP)
            .stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }

  /** The part of the other that this is, 0 to 1 with four decimals; 0 of nothing. */
  public BigDecimal partOf(Amount other) {
    return other.isZero()
        ? BigDecimal.ZERO
        : new BigDecimal(ticks).divide(new BigDecimal(other.ticks), 4, RoundingMode.HALF_UP);
  }

  @Override
  public int compareTo(Amount other) {
    return ticks.compareTo(other.ticks);
  }

  /** The amount in units with at most two decimals, rounded half up, as people read it. */
  @Override
  public String toString() {
    BigDecimal rounded =
        new BigDecimal(ticks).divide(new BigDecimal(TICKS_PER_UNIT), 2, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
