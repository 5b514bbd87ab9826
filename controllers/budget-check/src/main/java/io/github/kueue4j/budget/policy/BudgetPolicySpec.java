// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.budget.ledger.Amount;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The {@code spec} of a BudgetPolicy.
 *
 * @param namespaceSelector the namespaces that have a budget; absent: all
 * @param limit the most that may be used in a window; absent: each namespace needs a Budget
 * @param unit of the limit and the prices, for people
 * @param prices of resources
 * @param window the time for which the limit holds
 * @param carryOver how much of what was unused is added in the next window
 * @param softLimitPercent from which part of the limit on a warning is given, 1 to 100
 * @param per what has the limit; absent: the namespace
 * @param runtime how long Workloads are taken to run
 * @param tooExpensive what becomes of a Workload that costs more than the whole limit
 * @param noBudget what becomes of Workloads in a selected namespace without a limit
 * @param budgets whether Budgets of namespaces are honoured
 * @param failurePolicy what becomes of a Workload whose cost or budget can't be told
 * @param whileRunning what becomes of Workloads that run while the limit is exceeded
 * @param consumption a server that measures what was spent; absent: the check's own ledger tells
 * @param accounting what is told of who used what, besides LocalQueues
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetPolicySpec(
    Optional<LabelSelector> namespaceSelector,
    Optional<Quantity> limit,
    Optional<String> unit,
    List<Price> prices,
    WindowSpec window,
    Optional<Quantity> carryOver,
    Optional<Integer> softLimitPercent,
    Optional<Per> per,
    Optional<RuntimeSpec> runtime,
    Optional<TooExpensive> tooExpensive,
    Optional<NoBudget> noBudget,
    Optional<Budgets> budgets,
    Optional<FailurePolicy> failurePolicy,
    Optional<WhileRunning> whileRunning,
    Optional<ConsumptionSpec> consumption,
    Optional<Accounting> accounting) {

  /** The subject of the limit. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Per {
    /** All LocalQueues of a namespace together. */
    NAMESPACE,
    /** Each LocalQueue. */
    LOCAL_QUEUE
  }

  /** The answer to a Workload that costs more than the whole limit. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum TooExpensive {
    /** It is deactivated. */
    REJECT,
    /** It is asked about again in the next window. */
    RETRY
  }

  /** The answer to Workloads without a limit. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum NoBudget {
    /** They wait. */
    PENDING,
    /** They may start. */
    READY
  }

  /** The standing of Budgets of namespaces: whether they are honoured. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Budgets {
    /** No. */
    IGNORE,
    /** As far as they make the limit lower. */
    LOWER,
    /** They replace it. */
    OVERRIDE
  }

  /** The answer to a Workload whose cost or budget can't be told. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum FailurePolicy {
    /** It waits. */
    CLOSED,
    /** It may start. */
    OPEN
  }

  /**
   * The treatment of Workloads that run while the limit is exceeded.
   *
   * @param evict whether those that were let through last are evicted
   * @param gracePeriod how long after the warning
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record WhileRunning(Optional<Boolean> evict, Optional<Duration> gracePeriod) {
    /** Checks the duration. */
    public WhileRunning {
      if (gracePeriod.filter(Duration::isNegative).isPresent()) {
        throw new InvalidFieldException(
            "gracePeriod", gracePeriod.get().toString(), "write a duration such as 10m");
      }
    }
  }

  /**
   * The account of a user.
   *
   * @param userLabel a label of the Workload or its pods that names the user; absent: users aren't
   *     told apart
   * @param metrics whether gauges show it by LocalQueue and user; absent: no
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Accounting(Optional<String> userLabel, Optional<Boolean> metrics) {
    private static final Pattern LABEL =
        Pattern.compile(
            "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /** Checks the label. */
    public Accounting {
      if (userLabel.filter(label -> !LABEL.matcher(label).matches()).isPresent()) {
        throw new InvalidFieldException(
            "userLabel", userLabel.get(), "write the key of a label such as example.com/user");
      }
    }
  }

  /** Checks the amounts. */
  public BudgetPolicySpec {
    limit.ifPresent(quantity -> amount("limit", quantity));
    carryOver.ifPresent(quantity -> amount("carryOver", quantity));
    softLimitPercent
        .filter(percent -> percent < 1 || percent > 100)
        .ifPresent(
            percent -> {
              throw new InvalidFieldException(
                  "softLimitPercent", percent.toString(), "write a number from 1 to 100");
            });
    if (carryOver.filter(quantity -> !quantity.isZero()).isPresent()
        && (window.type() == WindowSpec.Type.ROLLING
            || per.orElse(Per.NAMESPACE) != Per.NAMESPACE)) {
      throw new InvalidFieldException(
          "carryOver",
          carryOver.get().toString(),
          "leave it out, or use a Daily, Weekly or Monthly window per Namespace");
    }
    Optional<String> userLabel = accounting.flatMap(Accounting::userLabel);
    if (userLabel.isPresent() && window.type() == WindowSpec.Type.ROLLING) {
      throw new InvalidFieldException(
          "accounting.userLabel",
          userLabel.get(),
          "leave it out, or use a Daily, Weekly or Monthly window: the many parts of a Rolling one"
              + " have no place for users");
    }
    consumption.ifPresent(measured -> requireSameScope(measured, carryOver, per));
    if (consumption.flatMap(ConsumptionSpec::unavailable).isPresent()
        && failurePolicy.filter(FailurePolicy.OPEN::equals).isPresent()) {
      throw new InvalidFieldException(
          "consumption.unavailable",
          "given with failurePolicy Open",
          "leave it out, or write failurePolicy: Closed, since with Open the ledger's numbers count");
    }
    Set<List<Object>> priced = new HashSet<>();
    for (Price price : prices) {
      if (!priced.add(List.of(price.resource(), price.flavor()))) {
        throw new InvalidFieldException(
            "prices", price.resource(), "name each resource once, or once per flavor");
      }
    }
  }

  private static void requireSameScope(
      ConsumptionSpec consumption, Optional<Quantity> carryOver, Optional<Per> per) {
    if (carryOver.isPresent()) {
      throw new InvalidFieldException(
          "carryOver",
          carryOver.get().toString(),
          "leave it out, or consumption: what was left is known of the ledger's own numbers only");
    }
    boolean perQueue = per.filter(Per.LOCAL_QUEUE::equals).isPresent();
    if (!consumption.fits(perQueue)) {
      throw new InvalidFieldException(
          "consumption",
          consumption.query().or(consumption::readyMade).orElseThrow(),
          perQueue
              ? "with per: LocalQueue, write a query with {{queue}} in it"
              : "use {{queue}} in its query with per: LocalQueue only");
    }
  }

  /** The amount that a person wrote, or an error that says in which field. */
  static Amount amount(String field, Quantity quantity) {
    try {
      return Amount.of(quantity);
    } catch (IllegalArgumentException e) {
      InvalidFieldException invalid =
          new InvalidFieldException(field, quantity.toString(), String.valueOf(e.getMessage()));
      invalid.initCause(e);
      throw invalid;
    }
  }
}
