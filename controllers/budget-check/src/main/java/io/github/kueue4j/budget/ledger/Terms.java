// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The terms that are agreed for one namespace.
 *
 * @param window the time for which the limits hold
 * @param limits of the namespace and of its LocalQueues, each at most once
 * @param anyQueue the limit of each LocalQueue that has none of its own; absent: none
 * @param carryOver how much of the namespace's limit, unused in one window, is added in the next
 * @param measured what was spent in the window as a server measured it: by LocalQueue, and of the
 *     namespace under the empty one. Of that and what the ledger knows to be spent, the larger
 *     counts
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Terms(
    Window window,
    List<Limit> limits,
    Optional<Amount> anyQueue,
    Amount carryOver,
    Map<String, Amount> measured) {

  /** Keeps copies. */
  public Terms {
    limits = List.copyOf(limits);
    measured = Map.copyOf(measured);
  }

  /** With what is settled. */
  public Terms(Window window, List<Limit> limits, Optional<Amount> anyQueue, Amount carryOver) {
    this(window, limits, anyQueue, carryOver, Map.of());
  }

  /** The same with what was measured. */
  public Terms withMeasured(Map<String, Amount> spent) {
    return new Terms(window, limits, anyQueue, carryOver, spent);
  }

  /** Whether what was spent of this queue's limit was measured. */
  boolean isMeasured(String queue) {
    return measured.containsKey(queue);
  }

  /**
   * The use of this queue's limit with what was measured. A measurement doesn't have what ran since
   * the last sample, nor Workloads that began and ended between two; the ledger has nothing but
   * Workloads. So the larger one holds: their sum would count twice what both know.
   */
  Use measured(Use use, String queue) {
    return new Use(use.spent().max(measured.getOrDefault(queue, Amount.ZERO)), use.reserved());
  }

  /** No limit at all. */
  public static Terms unlimited(Window window) {
    return new Terms(window, List.of(), Optional.empty(), Amount.ZERO);
  }

  /** One limit for a namespace. */
  public static Terms of(Window window, Amount limit) {
    return new Terms(window, List.of(Limit.ofNamespace(limit)), Optional.empty(), Amount.ZERO);
  }

  /** The limits that a Workload of this queue has to keep. */
  public List<Limit> concerning(String queue) {
    List<Limit> own = limits.stream().filter(limit -> limit.concerns(queue)).toList();
    boolean named = own.stream().anyMatch(limit -> !limit.queue().isEmpty());
    if (named || anyQueue.isEmpty()) {
      return own;
    }
    return Stream.concat(own.stream(), Stream.of(new Limit(queue, anyQueue.get()))).toList();
  }

  /** The limit of the namespace as a whole. */
  Optional<Amount> ofNamespace() {
    return limits.stream().filter(limit -> limit.queue().isEmpty()).map(Limit::amount).findFirst();
  }
}
