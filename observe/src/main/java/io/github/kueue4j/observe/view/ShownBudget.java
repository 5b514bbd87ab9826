// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The limit of one policy and its users, as the view shows them. Amounts are in the policy's unit.
 *
 * @param policy its name
 * @param unit what is counted; null if it has no name
 * @param since the beginning of the window; null if the policy can't be used
 * @param until the end of the window; null: it is a rolling one, for which nothing is foreseen
 * @param namespaces what is used in each of them
 * @param queues what is used by each LocalQueue
 * @param users what is used by each user of each LocalQueue; empty where none are told apart
 * @param past what was used in former windows, the oldest first
 * @param notes sentences that a reader of the numbers has to know, and why there may be none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record ShownBudget(
    String policy,
    @Nullable String unit,
    @Nullable Instant since,
    @Nullable Instant until,
    List<BudgetUse> namespaces,
    List<BudgetUse> queues,
    List<BudgetUse> users,
    List<PastUse> past,
    List<String> notes) {

  /**
   * The use by one of them in the present window.
   *
   * @param queue empty: all of the namespace
   * @param user null: all, empty: those without a label
   * @param used on what ran and what still runs
   * @param running of that, on what still runs
   * @param reserved for what may still run
   * @param forecast of {@code used} at the end of the window; null if it isn't known
   * @param limit null if there is none for it
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record BudgetUse(
      String namespace,
      String queue,
      @Nullable String user,
      double used,
      double running,
      double reserved,
      @Nullable Double forecast,
      @Nullable Double limit) {}

  /** The use in the window, or the day of a rolling one, that began then. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record PastUse(Instant from, double used) {}

  /** Keeps copies. */
  public ShownBudget {
    namespaces = List.copyOf(namespaces);
    queues = List.copyOf(queues);
    users = List.copyOf(users);
    past = List.copyOf(past);
    notes = List.copyOf(notes);
  }
}
