// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.budget.ledger.Rate;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The price of a resource per hour.
 *
 * @param resource for example {@code cpu}
 * @param flavor the ResourceFlavor that the price is for; absent: those without a price of their
 *     own
 * @param price of {@code per} of the resource for one hour, in the policy's unit; at most nine
 *     decimals
 * @param per how much of the resource; absent: one unit (one CPU, one GPU, one byte)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Price(
    String resource, Optional<String> flavor, Quantity price, Optional<Quantity> per) {
  /** Checks the numbers. */
  public Price {
    try {
      Rate.requirePrice(price);
    } catch (IllegalArgumentException e) {
      InvalidFieldException invalid =
          new InvalidFieldException("price", price.toString(), String.valueOf(e.getMessage()));
      invalid.initCause(e);
      throw invalid;
    }
    if (per.isPresent() && per.get().signum() <= 0) {
      throw new InvalidFieldException(
          "per", per.get().toString(), "write a positive amount of the resource, such as 1Gi");
    }
  }

  /** The cost of this amount. */
  Rate of(Quantity amount) {
    return Rate.of(amount, price, per.orElse(Quantity.ONE));
  }
}
