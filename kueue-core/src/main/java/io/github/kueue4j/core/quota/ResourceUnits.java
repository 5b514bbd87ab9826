// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.Quantity;
import java.math.BigDecimal;
import org.apiguardian.api.API;

/**
 * The units of amounts in the core: cpu in thousandths, all other resources in whole units,
 * fractions rounded up; and the conversion back to a quantity in the usual notation of the
 * resource.
 */
@API(status = API.Status.INTERNAL)
public final class ResourceUnits {
  /** The implicit resource that counts pods. */
  public static final String PODS = "pods";

  private static final String CPU = "cpu";

  private ResourceUnits() {}

  public static long of(String resource, Quantity quantity) {
    return resource.equals(CPU) ? quantity.milliValue() : quantity.value();
  }

  /** An amount in the unit of its quantities, such as cores or bytes. */
  public static double decimal(String resource, long units) {
    return resource.equals(CPU) ? units / 1000.0 : units;
  }

  public static Quantity quantity(String resource, long units) {
    if (resource.equals(CPU)) {
      return Quantity.ofMilli(units);
    }
    boolean binary =
        resource.equals("memory")
            || resource.equals("ephemeral-storage")
            || resource.startsWith("hugepages-");
    return binary
        ? Quantity.of(BigDecimal.valueOf(units), Quantity.Format.BINARY_SI)
        : Quantity.of(units);
  }
}
