// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.NoFitReason;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.QueueReports;
import io.github.kueue4j.observe.dryrun.DryRunResult.AskedCheck;
import io.github.kueue4j.observe.dryrun.DryRunResult.BorrowedQuota;
import io.github.kueue4j.observe.dryrun.DryRunResult.EvictedWorkload;
import io.github.kueue4j.observe.dryrun.DryRunResult.TakenQuota;
import io.github.kueue4j.observe.explain.Explanation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The decision of the scheduler about a Workload that was submitted to a {@link TrialState}. */
final class SchedulerAnswer {
  private static final String NOTHING =
      "its pods request nothing that the ClusterQueue has quota of, so they take none: give their"
          + " containers resources.requests";

  private final TrialState trial;
  private final ReadObjects objects;
  private final Workload workload;
  private final String kind;
  private final ObjectKey job;
  private final Instant now;

  /**
   * The answer about a Workload.
   *
   * @param kind of its Job
   * @param job namespace and name of its Job
   */
  SchedulerAnswer(DryRun run, Workload workload, String kind, ObjectKey job) {
    this.trial = run.trial();
    this.objects = run.objects();
    this.workload = workload;
    this.kind = kind;
    this.job = job;
    this.now = run.now();
  }

  /**
   * The answer as a result.
   *
   * @param explanation of a version of the Workload that waits
   */
  DryRunResult result(Function<Workload, Explanation> explanation) {
    Optional<Decision.ReserveQuota> reserved = trial.reserved(workload.key());
    if (reserved.isPresent()) {
      return reserved(reserved.get());
    }
    Optional<QueueReports.Waits> waits = trial.reports().waits(workload.key(), now);
    return waits.isEmpty()
        ? notQueued(explanation)
        : waiting(waits.get(), trial.refused(workload.key()), explanation);
  }

  private DryRunResult reserved(Decision.ReserveQuota decision) {
    List<TakenQuota> takes = new ArrayList<>();
    for (PodSetAssignment podSet : decision.admission().podSetAssignments()) {
      new TreeMap<>(podSet.resourceUsage())
          .forEach(
              (resource, amount) ->
                  takes.add(
                      new TakenQuota(
                          Optional.of(podSet.name()),
                          Objects.requireNonNullElse(podSet.count(), 0),
                          resource,
                          podSet.flavors().getOrDefault(resource, ""),
                          amount)));
    }
    List<AskedCheck> checks =
        checks(
            decision.clusterQueue(),
            podSetFlavors(decision),
            objects.find(KueueTypes.WORKLOAD, workload.key()).orElse(null));
    List<EvictedWorkload> evicted = evicted(decision.deferred());
    String summary = "It gets quota of ClusterQueue " + decision.clusterQueue() + " at once";
    if (!checks.isEmpty()) {
      summary += ", and starts when its admission checks have let it through";
      summary += evicted.isEmpty() ? "" : " and what is evicted for it then has stopped";
    } else {
      summary += " and starts";
    }
    return new DryRunResult(
        kind,
        job,
        checks.isEmpty() ? DryRunOutcome.ADMITTED : DryRunOutcome.QUOTA_RESERVED,
        summary + ".",
        decision.clusterQueue(),
        takes,
        borrows(decision.clusterQueue(), decision.usage(), trial.reports().quota()),
        evicted,
        checks,
        0,
        0,
        null,
        takes.stream().allMatch(part -> part.amount().isZero()) ? List.of(NOTHING) : List.of(),
        List.of());
  }

  private static List<String> podSetFlavors(Decision.ReserveQuota decision) {
    return decision.admission().podSetAssignments().stream()
        .flatMap(podSet -> podSet.flavors().values().stream())
        .toList();
  }

  private DryRunResult waiting(
      QueueReports.Waits waits,
      Optional<Decision> decided,
      Function<Workload, Explanation> explanation) {
    if (decided.orElse(null) instanceof Decision.Preempt preempt) {
      return preempts(waits, preempt);
    }
    String reason = decided.map(SchedulerAnswer::reason).orElse(waits.reason());
    String message = decided.map(SchedulerAnswer::message).orElse(waits.message());
    boolean misconfigured = reason.equals(WorkloadConditions.MISCONFIGURED);
    if (misconfigured
        && objects
            .find(CoreTypes.NAMESPACE, ObjectKey.cluster(workload.key().namespace()))
            .isEmpty()) {
      return DryRunResult.of(
          kind,
          job,
          DryRunOutcome.UNKNOWN,
          "Whether ClusterQueue %s takes Workloads of the namespace %s can't be foreseen: that needs get of namespaces."
              .formatted(waits.clusterQueue(), workload.key().namespace()));
    }
    boolean never = misconfigured || NoFitReason.isForGood(reason);
    Explanation why = explanation.apply(stated(reason, message));
    return new DryRunResult(
        kind,
        job,
        never ? DryRunOutcome.NEVER_FITS : DryRunOutcome.WAITS,
        "%s: %s"
            .formatted(
                never
                    ? "It would wait even if all quota were free"
                    : "It waits in ClusterQueue %s, as number %d of %d"
                        .formatted(waits.clusterQueue(), waits.place(), waits.of()),
                // A queue that is stopped or inactive tries nothing.
                message.isEmpty() ? why.summary() : message + "."),
        waits.clusterQueue(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        waits.place(),
        waits.of(),
        why,
        List.of(),
        List.of());
  }

  private DryRunResult preempts(QueueReports.Waits waits, Decision.Preempt decision) {
    String queue = decision.clusterQueue();
    QuotaTree after = trial.reports().quota();
    for (Target target : decision.targets()) {
      after = after.release(target.candidate().clusterQueue(), target.candidate().usage());
    }
    return new DryRunResult(
        kind,
        job,
        DryRunOutcome.PREEMPTS,
        "It gets quota of ClusterQueue %s when what is evicted for it has stopped: %s."
            .formatted(queue, decision.message()),
        queue,
        decision.usage().asMap().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(
                entry ->
                    new TakenQuota(
                        Optional.empty(),
                        0,
                        entry.getKey().resource(),
                        entry.getKey().flavor(),
                        ResourceUnits.quantity(entry.getKey().resource(), entry.getValue())))
            .toList(),
        borrows(queue, decision.usage(), after.reserve(queue, decision.usage())),
        evicted(decision.targets()),
        checks(
            queue,
            decision.usage().asMap().keySet().stream().map(FlavorResource::flavor).toList(),
            null),
        waits.place(),
        waits.of(),
        null,
        List.of(),
        List.of());
  }

  private DryRunResult notQueued(Function<Workload, Explanation> explanation) {
    Optional<Outbox.DuePendingReason> problem = trial.problem(workload.key());
    Explanation why =
        explanation.apply(
            problem.map(each -> stated(each.reason(), each.message())).orElse(workload));
    return DryRunResult.of(
            kind,
            job,
            DryRunOutcome.NOT_QUEUED,
            problem.map(each -> "It isn't queued: " + each.message() + ".").orElse(why.summary()))
        .explainedBy(why);
  }

  /** The Workload as the core would write it, so that an explanation has the scheduler's reason. */
  private Workload stated(String reason, String message) {
    return !reason.isEmpty()
            && Lifecycle.notReserved(
                    Situation.of(workload, RequiredChecks.none()), reason, message, now)
                instanceof Plan.PatchStatus patch
        ? patch.after()
        : workload;
  }

  private static String reason(Decision decision) {
    return switch (decision) {
      case Decision.ReserveQuota reserved -> "";
      case Decision.Preempt preempt -> Decision.Preempt.REASON;
      case Decision.Skipped skipped -> skipped.why().reason();
      case Decision.Inadmissible refused -> refused.reason();
    };
  }

  private static String message(Decision decision) {
    return switch (decision) {
      case Decision.ReserveQuota reserved -> "";
      case Decision.Preempt preempt -> preempt.message();
      case Decision.Skipped skipped -> skipped.why().message();
      case Decision.Inadmissible refused -> refused.message();
    };
  }

  /**
   * The part of a reservation that is borrowed.
   *
   * @param with the quota with this reservation
   */
  private static List<BorrowedQuota> borrows(
      String clusterQueue, Amounts<FlavorResource> usage, QuotaTree with) {
    NodeId node = NodeId.queue(clusterQueue);
    List<BorrowedQuota> borrowed = new ArrayList<>();
    new TreeMap<>(usage.asMap())
        .forEach(
            (key, amount) -> {
              long beyond = Math.min(amount, with.usage(node, key) - with.subtreeQuota(node, key));
              if (beyond > 0) {
                borrowed.add(
                    new BorrowedQuota(
                        key.resource(),
                        key.flavor(),
                        ResourceUnits.quantity(key.resource(), beyond)));
              }
            });
    return borrowed;
  }

  private static List<EvictedWorkload> evicted(List<Target> targets) {
    return targets.stream()
        .map(
            target -> {
              Candidate candidate = target.candidate();
              return new EvictedWorkload(
                  candidate.key(),
                  candidate.clusterQueue(),
                  candidate.localQueue().name(),
                  candidate.priority(),
                  target.reason().conditionReason(),
                  candidate.evicted());
            })
        .toList();
  }

  /**
   * The checks that it waits for.
   *
   * @param reserved with the quota that it gets; null before that is settled
   */
  private List<AskedCheck> checks(
      String clusterQueue, List<String> flavors, @Nullable Workload reserved) {
    return objects.find(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(clusterQueue)).stream()
        .flatMap(queue -> CheckStrategy.ofFlavors(queue.spec(), flavors).stream())
        .map(
            name -> {
              @Nullable AdmissionCheck check =
                  objects.find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)).orElse(null);
              return new AskedCheck(
                  name, check == null ? "" : check.spec().controllerName(), check, reserved);
            })
        .filter(asked -> asked.object() == null || !CheckMode.observes(asked.object()))
        .toList();
  }
}
