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
 * @param input the resource that pods ask for
 * @param replaces whether the input itself isn't counted any more
 * @param multiplyBy a resource whose amount multiplies the outputs; null for none
 * @param outputs how much of other resources one unit of the input stands for
 */
@API(status = API.Status.INTERNAL)
public record Transformation(
    String input, boolean replaces, @Nullable String multiplyBy, Map<String, Quantity> outputs) {
  public Transformation {
    Objects.requireNonNull(input, "input");
    outputs = Map.copyOf(outputs);
  }

  /** The resources of a pod after all of these; each reads what the pod asked for at first. */
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
