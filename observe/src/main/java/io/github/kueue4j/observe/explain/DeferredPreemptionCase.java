// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PreemptionPolicy;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.DeferredPreemptionResolver;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deferred preemption (KEP-993, {@code AfterCheckPassedOrOnDemand}), as far as the objects show
 * it: a reservation of quota that other Workloads still hold. The objects don't show whether the
 * core uses fair sharing, nor the weights of resources in past usage. With those, the core may
 * preempt other Workloads than the ones named here; Workloads that are evicted already are named in
 * any case.
 *
 * @param checks those that defer the preemption
 * @param due whether all of them are Ready, or one asks for the preemption
 * @param evictingVictims the victims that are being evicted and still hold quota
 * @param remainingVictims the victims that have not been evicted yet
 */
record DeferredPreemptionCase(
    Set<String> checks,
    boolean due,
    Set<ObjectKey> evictingVictims,
    Set<ObjectKey> remainingVictims) {
  private static final Logger log = LoggerFactory.getLogger(DeferredPreemptionCase.class);
  private static final int MOST_SHOWN = 5;

  /**
   * The deferred preemption of a Workload; empty if no other Workload holds its quota, or that
   * can't be read.
   */
  static Optional<DeferredPreemptionCase> of(WorkloadView workloadView) {
    ClusterQueue queue = workloadView.around().clusterQueue();
    Set<String> checks = deferring(workloadView, queue, workloadView.workload());
    if (queue == null || checks.isEmpty() || !MissingRights.noneForQuota(workloadView.around())) {
      return Optional.empty();
    }
    try {
      return new Search(workloadView, queue, checks).find();
    } catch (RuntimeException e) {
      // Amounts that can't be summed up: explain by the checks alone.
      log.atDebug()
          .setCause(e)
          .addKeyValue("workload", workloadView.key())
          .log("Could not determine the victims of a deferred preemption");
      return Optional.empty();
    }
  }

  /** Whether there may be one that the objects which may be read don't show. */
  static boolean mayBeHidden(WorkloadView workloadView) {
    ExplainInput around = workloadView.around();
    return around.mayRead(KueueTypes.ADMISSION_CHECK)
        ? !MissingRights.noneForQuota(around)
            && !deferring(workloadView, around.clusterQueue(), workloadView.workload()).isEmpty()
        : !workloadView.required().isEmpty();
  }

  /** The sentences that follow those about pending checks. */
  String besides() {
    if (due) {
      return " Besides, " + waits() + ".";
    }
    String one = checks.size() == 1 ? "asks for it" : "one of them asks for it";
    return " No workload is preempted for it before "
        + String.join(" and ", checks)
        + (checks.size() == 1 ? " is Ready or " : " are Ready or ")
        + one
        + "; its quota is held by "
        + (names().isEmpty() ? "others" : text(names()))
        + ".";
  }

  /** The reason for the wait, as a clause. */
  String waits() {
    return evictingVictims.isEmpty()
        ? "its quota is still held by "
            + (remainingVictims.isEmpty() ? "others" : text(remainingVictims))
        : "it waits until "
            + evictingVictims.size()
            + (evictingVictims.size() == 1 ? " other has" : " others have")
            + " released quota: "
            + text(evictingVictims);
  }

  List<Evidence> evidence(WorkloadView workloadView) {
    ClusterQueue queue = Objects.requireNonNull(workloadView.around().clusterQueue());
    Set<ObjectKey> names = names();
    return new SharedQuota(workloadView.around(), queue)
        .holders().stream()
            .filter(holder -> names.contains(ObjectKey.of(holder)))
            .limit(MOST_SHOWN)
            .map(DeferredPreemptionCase::evidence)
            .toList();
  }

  private static Evidence evidence(Workload holder) {
    return holder
        .conditions()
        .findTrue(WorkloadConditions.PREEMPTED)
        .map(
            preempted ->
                Evidence.of(
                    "Workload",
                    ObjectKey.of(holder),
                    "status.conditions[Preempted]",
                    Evidence.words(preempted)))
        .orElseGet(
            () ->
                Evidence.of(
                    "Workload",
                    ObjectKey.of(holder),
                    "status.admission",
                    "holds quota that is reserved for this workload"));
  }

  private Set<ObjectKey> names() {
    Set<ObjectKey> names = new LinkedHashSet<>(evictingVictims);
    names.addAll(remainingVictims);
    return names;
  }

  private static String text(Set<ObjectKey> keys) {
    String shown =
        keys.stream().limit(MOST_SHOWN).map(ObjectKey::toString).collect(Collectors.joining(", "));
    return keys.size() > MOST_SHOWN
        ? shown + " and " + (keys.size() - MOST_SHOWN) + " more"
        : shown;
  }

  private static Set<String> deferring(
      WorkloadView workloadView, @Nullable ClusterQueue queue, Workload workload) {
    Set<String> checks = new TreeSet<>(WorkloadView.required(queue, workload));
    checks.removeIf(
        name -> {
          AdmissionCheck check = workloadView.check(name);
          return check == null
              || CheckMode.observes(check)
              || !PreemptionPolicy.AFTER_CHECK_PASSED_OR_ON_DEMAND.equals(
                  check.spec().preemptionPolicy());
        });
    return checks;
  }

  /** Computes from the objects the claims that the core computes from its State. */
  private static final class Search {
    private final WorkloadView workloadView;
    private final ClusterQueue queue;
    private final Set<String> checks;
    private final SharedQuota shared;
    private final Map<String, ClusterQueue> queues;
    private final List<Workload> others;

    Search(WorkloadView workloadView, ClusterQueue queue, Set<String> checks) {
      this.workloadView = workloadView;
      this.queue = queue;
      this.checks = checks;
      this.shared = new SharedQuota(workloadView.around(), queue);
      this.queues = new HashMap<>();
      workloadView
          .around()
          .clusterQueues()
          .forEach(relative -> queues.put(ObjectKey.of(relative).name(), relative));
      queues.put(ObjectKey.of(queue).name(), queue);
      this.others = shared.holders();
    }

    Optional<DeferredPreemptionCase> find() {
      Set<ObjectKey> leaving = new LinkedHashSet<>();
      shared
          .preemptedFor(Uids.of(workloadView.workload()))
          .forEach(victim -> leaving.add(ObjectKey.of(victim)));
      Set<ObjectKey> staying = new LinkedHashSet<>();
      DeferredPreemptionResolver.Outcome outcome = outcome();
      boolean claims =
          outcome.unsatisfiable().stream().anyMatch(this::isSelf)
              || outcome.preemptions().stream()
                  .anyMatch(deferredPreemption -> isSelf(deferredPreemption.preemptor()));
      outcome.preemptions().stream()
          .filter(deferredPreemption -> isSelf(deferredPreemption.preemptor()))
          .flatMap(deferredPreemption -> deferredPreemption.targets().stream())
          .forEach(
              target ->
                  (target.candidate().evicted() ? leaving : staying).add(target.candidate().key()));
      return claims
          ? Optional.of(new DeferredPreemptionCase(checks, due(), leaving, staying))
          : Optional.empty();
    }

    private DeferredPreemptionResolver.Outcome outcome() {
      Candidate self = candidate(workloadView.workload());
      List<Candidate> deferring = new ArrayList<>(List.of(self));
      Map<String, List<Candidate>> holders =
          others.stream()
              .map(this::candidate)
              .collect(Collectors.groupingBy(Candidate::clusterQueue));
      for (Workload other : others) {
        ClusterQueue queue = queues.get(candidate(other).clusterQueue());
        if (Phase.of(other, WorkloadView.required(queue, other)) == Phase.RESERVED
            && !deferring(workloadView, queue, other).isEmpty()) {
          deferring.add(candidate(other));
        }
      }
      QuotaTree reserved = shared.used().reserve(self.clusterQueue(), self.usage());
      return new DeferredPreemptionResolver(
              new PreemptionCandidates(
                  name -> holders.getOrDefault(name, List.of()),
                  PreemptionSettings.classical(),
                  FairSharingTurn.usage(workloadView, queue)),
              Map.of(),
              this::policy)
          .resolve(reserved, deferring, true);
    }

    private boolean isSelf(Candidate candidate) {
      return candidate.key().equals(workloadView.key());
    }

    private ClusterQueuePreemption policy(String name) {
      ClusterQueue queue = queues.get(name);
      return queue == null ? ClusterQueuePreemption.never() : queue.spec().preemption();
    }

    private boolean due() {
      List<AdmissionCheckState> entries =
          workloadView.workload().status().admissionChecks().stream()
              .filter(entry -> checks.contains(entry.name()))
              .toList();
      return entries.stream().allMatch(entry -> workloadView.isReady(entry.name()))
          || entries.stream().anyMatch(entry -> Boolean.TRUE.equals(entry.preemptionRequested()));
    }

    private Candidate candidate(Workload holder) {
      return Candidate.asWritten(holder, workloadView.priority(holder));
    }
  }
}
