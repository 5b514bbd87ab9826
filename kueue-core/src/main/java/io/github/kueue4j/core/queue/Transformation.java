// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Counts one resource as others (KEP-2937), as in {@code resources.transformations} of the
 * configuration.
 *
 * @param input the resource that pods request
 * @param replaces whether the outputs replace the input, instead of being added to it
 * @param multiplyBy a resource whose amount multiplies the outputs; null for none
 * @param outputs the amounts of other resources for one unit of the input
 */
@API(status = API.Status.INTERNAL)
public record Transformation(
    String input, boolean replaces, @Nullable String multiplyBy, Map<String, Quantity> outputs) {
  public Transformation {
    Objects.requireNonNull(input, "input");
    outputs = Map.copyOf(outputs);
  }

  /** The resources of a pod after all of these; each reads the pod's original requests. */
  static Map<String, Quantity> apply(
      List<Transformation> transformations, Map<String, Quantity> requests) {
    Map<String, Quantity> counted = new HashMap<>(requests);
    for (Transformation transformation : transformations) {
      Quantity amount = requests.get(transformation.input);
      if (amount == null) {
        continue;
      }
      if (transformation.replaces) {
        counted.computeIfPresent(
            transformation.input,
            (resource, sum) -> sum.equals(amount) ? null : sum.subtract(amount));
      }
      Quantity times =
          transformation.multiplyBy == null
              ? Quantity.ONE
              : requests.getOrDefault(transformation.multiplyBy, Quantity.ZERO);
      transformation.outputs.forEach(
          (resource, perUnit) -> {
            Quantity output =
                perUnit.multiply(amount.amount()).multiply(times.amount()).max(Quantity.ZERO);
            counted.merge(resource, output, Quantity::add);
          });
    }
    return counted;
  }
}
