// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Quantity;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1LimitRangeItem;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All LimitRanges of a namespace combined: the strictest bounds, and the first default of each
 * resource.
 *
 * @param container bounds and defaults of containers
 * @param pod bounds of pods as a whole
 */
@API(status = API.Status.INTERNAL)
public record NamespaceLimits(Bounds container, Bounds pod) {
  private static final NamespaceLimits NONE = new NamespaceLimits(Bounds.none(), Bounds.none());

  /**
   * Bounds and defaults by resource.
   *
   * @param max the largest permitted request
   * @param min the smallest permitted request
   * @param defaultLimit limits for containers without one
   * @param defaultRequest requests for containers without one
   */
  @API(status = API.Status.INTERNAL)
  public record Bounds(
      Map<String, Quantity> max,
      Map<String, Quantity> min,
      Map<String, Quantity> defaultLimit,
      Map<String, Quantity> defaultRequest) {
    public Bounds {
      max = Map.copyOf(max);
      min = Map.copyOf(min);
      defaultLimit = Map.copyOf(defaultLimit);
      defaultRequest = Map.copyOf(defaultRequest);
    }

    static Bounds none() {
      return new Bounds(Map.of(), Map.of(), Map.of(), Map.of());
    }

    private Bounds with(V1LimitRangeItem item) {
      return new Bounds(
          merged(max, item.getMax(), Quantity::min),
          merged(min, item.getMin(), Quantity::max),
          merged(defaultLimit, item.getDefault(), (first, second) -> first),
          merged(defaultRequest, item.getDefaultRequest(), (first, second) -> first));
    }

    /** The first violation of these bounds; empty if there is none. */
    Optional<String> violatedBy(Map<String, Quantity> requests) {
      for (Map.Entry<String, Quantity> request : requests.entrySet()) {
        Quantity maximum = max.get(request.getKey());
        if (maximum != null && request.getValue().compareTo(maximum) > 0) {
          return Optional.of(request.getKey() + ": requests must not be above the limitRange max");
        }
        Quantity minimum = min.get(request.getKey());
        if (minimum != null && request.getValue().compareTo(minimum) < 0) {
          return Optional.of(request.getKey() + ": requests must not be below the limitRange min");
        }
      }
      return Optional.empty();
    }
  }

  /** No LimitRange at all. */
  public static NamespaceLimits none() {
    return NONE;
  }

  /** Combines these LimitRanges; of several defaults the first one applies. */
  public static NamespaceLimits of(Collection<V1LimitRange> ranges) {
    Bounds container = Bounds.none();
    Bounds pod = Bounds.none();
    for (V1LimitRange range : ranges) {
      List<V1LimitRangeItem> items =
          range.getSpec() == null
              ? List.of()
              : Objects.requireNonNullElse(
                  range.getSpec().getLimits(), List.<V1LimitRangeItem>of());
      for (V1LimitRangeItem item : items) {
        switch (Objects.requireNonNullElse(item.getType(), "")) {
          case "Container" -> container = container.with(item);
          case "Pod" -> pod = pod.with(item);
          default -> {}
        }
      }
    }
    return new NamespaceLimits(container, pod);
  }

  boolean isEmpty() {
    return equals(NONE);
  }

  private static Map<String, Quantity> merged(
      Map<String, Quantity> sum,
      @Nullable Map<String, io.kubernetes.client.custom.Quantity> more,
      BinaryOperator<Quantity> both) {
    if (more == null) {
      return sum;
    }
    Map<String, Quantity> merged = new HashMap<>(sum);
    more.forEach((name, amount) -> merged.merge(name, Quantity.ofClient(amount), both));
    return merged;
  }
}
