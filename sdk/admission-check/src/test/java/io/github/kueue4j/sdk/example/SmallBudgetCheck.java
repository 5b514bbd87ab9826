// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static io.github.kueue4j.api.WorkloadConditions.ADMITTED;
import static io.github.kueue4j.api.WorkloadConditions.FINISHED;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Grants;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watched;
import io.github.kueue4j.sdk.program.CheckProgram;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A budget of CPU-hours per namespace and day, to begin from. A Workload costs its CPUs times its
 * maximum execution time, on the day on which this check says Ready; one that has finished costs
 * what it ran. The Workloads tell all of that, so a restart forgets nothing.
 */
public final class SmallBudgetCheck implements Check<SmallBudgetCheck.Budget> {
  /** The keys of the ConfigMap: CPU-hours per namespace and day, and whose midnight ends it. */
  public record Budget(int cpuHours, ZoneId zone) {
    public Budget {
      if (cpuHours < 0) {
        throw new InvalidFieldException("cpuHours", Integer.toString(cpuHours), "write 0 or more");
      }
    }
  }

  private final Watched<Workload> workloads;
  private final Grants<Duration> grants;

  public SmallBudgetCheck(Watched<Workload> workloads) {
    this.workloads = workloads;
    this.grants = new Grants<>(workloads::get);
  }

  static CheckController controller(CheckEnvironment environment) {
    CheckController.Builder builder =
        CheckController.builder("example.com/small-budget", environment);
    SmallBudgetCheck check = new SmallBudgetCheck(builder.workloads());
    return builder.check(Parameters.configMap("budgets", Budget.class), check).build();
  }

  public static void main(String[] arguments) {
    CheckProgram.named("small-budget", SmallBudgetCheck::controller).runAndExit(arguments);
  }

  // @start region=evaluate
  @Override
  public Verdict evaluate(Evaluation<Budget> evaluation) {
    if (evaluation.workload().spec().maximumExecutionTimeSeconds() == null) {
      return Verdict.rejected(
          Reason.of("NoExecutionTime"),
          "Label the Job with kueue.x-k8s.io/max-exec-time-seconds: it says the cost.");
    }
    Budget budget = evaluation.parameters();
    Duration limit = Duration.ofHours(budget.cpuHours());
    Duration cost = cost(evaluation.workload());
    if (cost.compareTo(limit) > 0) {
      return Verdict.rejected(
          Reason.of("TooExpensive"),
          "It costs %s, a day's budget is %s.".formatted(text(cost), text(limit)));
    }
    // Evaluations run concurrently: nothing else is granted from here to the end of the block.
    synchronized (grants) {
      Duration left = limit.minus(used(evaluation));
      if (cost.compareTo(left) > 0) {
        return Verdict.retry(
            Reason.of("BudgetExhausted"),
            "It costs %s, %s of today's %s are left; queued again in {delay}."
                .formatted(text(cost), text(left), text(limit)),
            Backoff.untilMidnight(budget.zone()));
      }
      grants.granted(evaluation, cost);
      return Verdict.ready(text(left.minus(cost)) + " are left for today.");
    }
  }

  // @end region=evaluate

  /** What others of the namespace cost today. */
  private Duration used(Evaluation<Budget> evaluation) {
    // What the watch doesn't show yet; left out below, where it may be shown by then.
    Map<ObjectKey, Duration> justGranted = grants.outstanding(evaluation);
    Duration used =
        justGranted.entrySet().stream()
            .filter(grant -> grant.getKey().namespace().equals(evaluation.namespace()))
            .map(Map.Entry::getValue)
            .reduce(Duration.ZERO, Duration::plus);
    return workloads.list().stream()
        .filter(other -> !justGranted.containsKey(ObjectKey.of(other)))
        .filter(other -> isOfToday(other, evaluation))
        .map(SmallBudgetCheck::cost)
        .reduce(used, Duration::plus);
  }

  private static boolean isOfToday(Workload other, Evaluation<Budget> evaluation) {
    ObjectKey key = ObjectKey.of(other);
    ZoneId zone = evaluation.parameters().zone();
    LocalDate today = LocalDate.ofInstant(evaluation.now(), zone);
    return key.namespace().equals(evaluation.namespace())
        && !key.equals(evaluation.key())
        && other.conditions().reserved()
        && other.status().admissionChecks().stream()
            .filter(entry -> entry.name().equals(evaluation.check()) && entry.is(CheckState.READY))
            .anyMatch(entry -> LocalDate.ofInstant(entry.lastTransitionTime(), zone).equals(today));
  }

  /** CPUs times the time that it ran if it has finished, otherwise that it may run. */
  private static Duration cost(Workload workload) {
    @Nullable Integer declared = workload.spec().maximumExecutionTimeSeconds();
    @Nullable Admission admission = workload.status().admission();
    if (declared == null || admission == null) {
      return Duration.ZERO;
    }
    WorkloadConditions is = workload.conditions();
    Duration time =
        is.trueSince(FINISHED)
            .map(end -> Duration.between(is.trueSince(ADMITTED).orElse(end), end))
            .orElse(Duration.ofSeconds(declared));
    return admission.podSetAssignments().stream()
        .map(podSet -> podSet.resourceUsage().getOrDefault("cpu", Quantity.ZERO))
        .map(cpus -> time.multipliedBy(cpus.milliValue()).dividedBy(1000))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static String text(Duration cpuTime) {
    return String.format(Locale.ROOT, "%.1f CPU-hours", cpuTime.toMillis() / 3_600_000.0);
  }
}
