// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import io.github.kueue4j.api.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The cost of something while it runs.
 *
 * @param micros millionths of the budget's unit per hour; 0 to 10^24, and what is more counts as
 *     that
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Rate(BigInteger micros) {

  private static final BigInteger MOST = BigInteger.TEN.pow(24);
  private static final int PRICE_DECIMALS = 9;

  /** Free of charge. */
  public static final Rate FREE = new Rate(BigInteger.ZERO);

  /** Keeps it within the bounds. */
  public Rate {
    micros = micros.max(BigInteger.ZERO).min(MOST);
  }

  /**
   * The cost of an amount of a resource, rounded up to a millionth of the unit per hour.
   *
   * @param amount of the resource
   * @param price per hour, for {@code per} of the resource
   * @param per positive
   */
  public static Rate of(Quantity amount, Quantity price, Quantity per) {
    BigDecimal micros =
        amount
            .amount()
            .multiply(price.amount())
            .movePointRight(6)
            .divide(per.amount(), 0, RoundingMode.CEILING);
    return new Rate(micros.toBigIntegerExact());
  }

  /**
   * A price that a person wrote.
   *
   * @throws IllegalArgumentException if it is negative, above 10^12 or has more than nine decimals
   */
  public static void requirePrice(Quantity price) {
    Amount.micros(price, PRICE_DECIMALS);
  }

  /** The sum. */
  public Rate plus(Rate other) {
    return new Rate(micros.add(other.micros));
  }

  /** Whether it costs nothing. */
  public boolean isFree() {
    return micros.signum() == 0;
  }

  /** The cost of this time; whole seconds, a fraction is cut off. */
  public Amount during(Duration time) {
    return new Amount(micros.multiply(BigInteger.valueOf(Math.max(0, time.toSeconds()))));
  }
}
