// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.github.kueue4j.sdk.controller.Grants;
import io.github.kueue4j.sdk.controller.Watch;
import io.github.kueue4j.sdk.controller.Watched;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Lets workloads through as long as their namespace has money left today, and sends the others back
 * until midnight in the budget's time zone. The package says what a workload costs. Raising a
 * budget ends the wait at once.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BudgetCheck implements Check<NoParameters> {

  private static final Reason EXHAUSTED = Reason.of("DailyBudgetExhausted");
  private static final Reason TOO_EXPENSIVE = Reason.of("CostExceedsDailyBudget");
  private static final Reason INVALID = Reason.of("InvalidBudget");
  private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

  private final BudgetOptions options;
  private final Watched<V1ConfigMap> budgets;
  private final Watched<Workload> workloads;
  private final Grants<Charge> grants;

  /** A cost on the account of a namespace. */
  private record Charge(String namespace, BigDecimal cost) {}

  BudgetCheck(BudgetOptions options, Watched<V1ConfigMap> budgets, Watched<Workload> workloads) {
    this.options = options;
    this.budgets = budgets;
    this.workloads = workloads;
    this.grants = new Grants<>(workloads::get);
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(
      CheckEnvironment environment, BudgetOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment).wakeInBackoff();
    Watched<Workload> workloads = controller.workloads();
    Watched<V1ConfigMap> budgets =
        controller.watch(
            Watch.of(CoreTypes.CONFIG_MAP)
                .named(options.configMap())
                .waking(map -> ofNamespace(workloads, ObjectKey.of(map).namespace())));
    return controller.check(new BudgetCheck(options, budgets, workloads));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, BudgetOptions options) {
    return builder(environment, options).build();
  }

  private static Collection<ObjectKey> ofNamespace(Watched<Workload> workloads, String namespace) {
    return workloads.list().stream()
        .map(Workload::key)
        .filter(key -> key.namespace().equals(namespace))
        .toList();
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    Optional<V1ConfigMap> map =
        budgets.get(new ObjectKey(evaluation.namespace(), options.configMap()));
    if (map.isEmpty()) {
      String message = "The namespace has no daily budget.";
      return evaluation.inBackoff() ? Verdict.endDelay(message) : Verdict.ready(message);
    }
    DailyBudget budget;
    try {
      budget = DailyBudget.of(map.get());
    } catch (DailyBudget.InvalidBudgetException e) {
      return refused(
          evaluation,
          INVALID,
          "The ConfigMap '" + options.configMap() + "' is no budget: " + e.getMessage() + ".",
          Delay.exactly(options.invalidBudgetDelay()));
    }
    synchronized (grants) {
      return judge(evaluation, budget);
    }
  }

  private Verdict judge(Evaluation<NoParameters> evaluation, DailyBudget budget) {
    BigDecimal cost = cost(evaluation.workload(), evaluation.totalRequests(), budget);
    BigDecimal spent = spent(evaluation, budget);
    Delay midnight = Delay.from(Backoff.untilMidnight(budget.zone()));
    if (cost.compareTo(budget.amount()) > 0) {
      return refused(
          evaluation,
          TOO_EXPENSIVE,
          "The workload costs "
              + text(cost)
              + ", more than the daily budget of "
              + text(budget.amount())
              + ". Will retry at midnight.",
          midnight);
    }
    if (spent.add(cost).compareTo(budget.amount()) > 0) {
      return refused(
          evaluation, EXHAUSTED, "Daily budget exhausted. Will retry at midnight.", midnight);
    }
    if (evaluation.inBackoff()) {
      return Verdict.endDelay(
          "The budget suffices now: the workload costs "
              + text(cost)
              + ", and "
              + text(budget.amount().subtract(spent))
              + " of today's "
              + text(budget.amount())
              + " are left.");
    }
    grants.granted(evaluation, new Charge(evaluation.namespace(), cost));
    return Verdict.ready(
        "Charged "
            + text(cost)
            + ", "
            + text(budget.amount().subtract(spent).subtract(cost))
            + " of today's "
            + text(budget.amount())
            + " left.");
  }

  /** A workload that waits already keeps waiting: a Retry would begin its delay anew. */
  private static Verdict refused(
      Evaluation<NoParameters> evaluation, Reason reason, String message, Delay delay) {
    return evaluation.inBackoff()
        ? Verdict.unchanged(message)
        : Verdict.retry(reason, message, delay);
  }

  private BigDecimal spent(Evaluation<NoParameters> evaluation, DailyBudget budget) {
    LocalDate today = budget.day(evaluation.now());
    BigDecimal spent = BigDecimal.ZERO;
    Map<ObjectKey, Charge> outstanding = grants.outstanding(evaluation);
    for (Workload workload : workloads.list()) {
      if (workload.key().namespace().equals(evaluation.namespace())
          && !workload.key().equals(evaluation.key())
          && !outstanding.containsKey(workload.key())
          && letThroughOn(today, workload, evaluation.check(), budget)) {
        spent = spent.add(cost(workload, reserved(workload), budget));
      }
    }
    for (Charge charge : outstanding.values()) {
      if (charge.namespace().equals(evaluation.namespace())) {
        spent = spent.add(charge.cost());
      }
    }
    return spent;
  }

  private static boolean letThroughOn(
      LocalDate day, Workload workload, String check, DailyBudget budget) {
    Optional<AdmissionCheckState> entry = workload.status().admissionCheck(check);
    return entry.isPresent()
        && entry.get().is(CheckState.READY)
        && budget.day(entry.get().lastTransitionTime()).equals(day);
  }

  private static Map<String, Quantity> reserved(Workload workload) {
    Map<String, Quantity> total = new HashMap<>();
    if (workload.status().admission() != null) {
      for (PodSetAssignment one : workload.status().admission().podSetAssignments()) {
        one.resourceUsage()
            .forEach((resource, amount) -> total.merge(resource, amount, Quantity::add));
      }
    }
    return total;
  }

  private static BigDecimal cost(
      Workload workload, Map<String, Quantity> reserved, DailyBudget budget) {
    @Nullable Integer limit = workload.spec().maximumExecutionTimeSeconds();
    BigDecimal hours =
        limit == null
            ? budget.hours()
            : BigDecimal.valueOf(limit).divide(SECONDS_PER_HOUR, 6, RoundingMode.UP);
    return budget.cost(reserved, hours);
  }

  private static String text(BigDecimal amount) {
    return amount
        .setScale(2, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .max(BigDecimal.ZERO)
        .toPlainString();
  }
}
