// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.Quantity;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of resources as the scheduler counts them: {@code cpu} in thousandths, everything else in
 * whole units, both rounded up.
 *
 * @param byName resource name to amount, 0 or more; what is 0 is left out
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Amounts(Map<String, Long> byName) {

  /** The resource that each pod takes one of. */
  public static final String PODS = "pods";

  /** No resource at all. */
  public static final Amounts NONE = new Amounts(Map.of());

  /**
   * The most of a resource that one node or one pod on it is taken to have: what is written on a
   * pod by hand must not overflow the sum of its node.
   */
  static final long LARGEST = 1L << 46;

  /** Leaves out what is 0 or less. */
  public Amounts {
    Map<String, Long> kept = new HashMap<>(byName);
    kept.values().removeIf(amount -> amount <= 0);
    byName = Map.copyOf(kept);
  }

  /** These quantities. */
  public static Amounts of(Map<String, Quantity> quantities) {
    Map<String, Long> amounts = new HashMap<>();
    quantities.forEach((name, quantity) -> amounts.put(name, amount(name, quantity)));
    return new Amounts(amounts);
  }

  /** These quantities of the client. */
  public static Amounts ofClient(
      @Nullable Map<String, io.kubernetes.client.custom.Quantity> quantities) {
    Map<String, Quantity> ours = new HashMap<>();
    if (quantities != null) {
      quantities.forEach((name, quantity) -> ours.put(name, Quantity.ofClient(quantity)));
    }
    return of(ours);
  }

  /** The amounts that one pod with this spec takes of a node, its place among the pods included. */
  public static Amounts ofPod(@Nullable V1PodSpec pod) {
    return of(PodRequests.of(pod)).atLeast(PODS, 1);
  }

  private static long amount(String name, Quantity quantity) {
    return name.equals("cpu") ? quantity.milliValue() : quantity.value();
  }

  /** The amount of this resource. */
  public long of(String resource) {
    return byName.getOrDefault(resource, 0L);
  }

  /** The same amounts, but at least this much of the resource. */
  public Amounts atLeast(String resource, long amount) {
    if (of(resource) >= amount) {
      return this;
    }
    Map<String, Long> raised = new HashMap<>(byName);
    raised.put(resource, amount);
    return new Amounts(raised);
  }

  /** The same amounts, none of them above what a node can have. */
  public Amounts bounded() {
    if (byName.values().stream().allMatch(amount -> amount <= LARGEST)) {
      return this;
    }
    Map<String, Long> bounded = new HashMap<>();
    byName.forEach((name, amount) -> bounded.put(name, Math.min(amount, LARGEST)));
    return new Amounts(bounded);
  }
}
