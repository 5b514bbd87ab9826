/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.Quantity;
import java.math.BigDecimal;
import org.apiguardian.api.API;

/**
 * The units in which the core counts: cpu in thousandths, everything else whole, fractions rounded
 * up; and the way back to a quantity in the notation that people write for that resource.
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
