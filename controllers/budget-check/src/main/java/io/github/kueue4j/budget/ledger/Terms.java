// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What is agreed for one namespace.
 *
 * @param window the time for which the limits hold
 * @param limits of the namespace and of its LocalQueues, each at most once
 * @param anyQueue the limit of each LocalQueue that has none of its own; absent: none
 * @param carryOver how much of the namespace's limit, unused in one window, is added in the next
 * @param measured what the namespace has spent in the window, in place of what is settled; absent:
 *     that
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Terms(
    Window window,
    List<Limit> limits,
    Optional<Amount> anyQueue,
    Amount carryOver,
    Optional<Amount> measured) {

  /** Keeps a copy of the limits. */
  public Terms {
    limits = List.copyOf(limits);
  }

  /** With what is settled. */
  public Terms(Window window, List<Limit> limits, Optional<Amount> anyQueue, Amount carryOver) {
    this(window, limits, anyQueue, carryOver, Optional.empty());
  }

  /** The same with what was measured. */
  public Terms withMeasured(Optional<Amount> spent) {
    return new Terms(window, limits, anyQueue, carryOver, spent);
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
