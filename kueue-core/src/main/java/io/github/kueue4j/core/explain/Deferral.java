/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PreemptionPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.DeferredPreemption;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.Rivals;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.QuotaTree;
import java.time.Instant;
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
 * A reservation whose quota others still hold (KEP-993, {@code AfterCheckPassedOrOnDemand}), as far
 * as the objects tell. They don't tell whether the core shares fairly, nor how much each resource
 * of past usage counts: then others than those named here may have to give way, and whoever has
 * been evicted is named all the same.
 *
 * @param checks those that defer the preemption
 * @param due whether all of them are Ready, or one asks for the preemption
 * @param leaving who is on its way out and has not let go yet
 * @param staying who would have to give way and was not told to
 */
record Deferral(Set<String> checks, boolean due, Set<ObjectKey> leaving, Set<ObjectKey> staying) {
  private static final Logger log = LoggerFactory.getLogger(Deferral.class);
  private static final int MOST_SHOWN = 5;

  /** Empty unless others hold quota that this one has reserved. */
  static Optional<Deferral> of(Look look) {
    ClusterQueue queue = look.around().clusterQueue();
    Set<String> checks = deferring(look, queue, look.workload());
    if (queue == null || checks.isEmpty()) {
      return Optional.empty();
    }
    try {
      return new Search(look, queue, checks).find();
    } catch (RuntimeException e) {
      // Amounts that nobody can add up: what the checks say is worth more than nothing.
      log.atDebug()
          .setCause(e)
          .addKeyValue("workload", look.key())
          .log("Not explained whose quota was reserved");
      return Optional.empty();
    }
  }

  /** What follows the word about checks that are still open. */
  String besides() {
    if (due) {
      return " Besides, " + waits() + ".";
    }
    String one = checks.size() == 1 ? "asks for it" : "one of them asks for it";
    return " Nobody is preempted for it before "
        + String.join(" and ", checks)
        + (checks.size() == 1 ? " is Ready or " : " are Ready or ")
        + one
        + "; its quota is held by "
        + (names().isEmpty() ? "others" : text(names()))
        + ".";
  }

  /** What it waits for, as a clause. */
  String waits() {
    return leaving.isEmpty()
        ? "its quota is still held by " + (staying.isEmpty() ? "others" : text(staying))
        : "it waits until "
            + leaving.size()
            + (leaving.size() == 1 ? " other has" : " others have")
            + " let go of quota: "
            + text(leaving);
  }

  List<Evidence> evidence(Look look) {
    ClusterQueue queue = Objects.requireNonNull(look.around().clusterQueue());
    Set<ObjectKey> names = names();
    return new SharedQuota(look.around(), queue)
        .holders().stream()
            .filter(holder -> names.contains(ObjectKey.of(holder)))
            .limit(MOST_SHOWN)
            .map(Deferral::evidence)
            .toList();
  }

  private static Evidence evidence(Workload holder) {
    return Conditions.find(holder.status().conditions(), WorkloadConditions.PREEMPTED)
        .filter(Condition::isTrue)
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
                    "holds quota that was reserved for another one"));
  }

  private Set<ObjectKey> names() {
    Set<ObjectKey> names = new LinkedHashSet<>(leaving);
    names.addAll(staying);
    return names;
  }

  private static String text(Set<ObjectKey> keys) {
    String shown =
        keys.stream().limit(MOST_SHOWN).map(ObjectKey::toString).collect(Collectors.joining(", "));
    return keys.size() > MOST_SHOWN
        ? shown + " and " + (keys.size() - MOST_SHOWN) + " more"
        : shown;
  }

  private static Set<String> deferring(Look look, @Nullable ClusterQueue queue, Workload workload) {
    Set<String> checks = new TreeSet<>(Look.required(queue, workload));
    checks.removeIf(
        name -> {
          AdmissionCheck check = look.check(name);
          return check == null
              || !PreemptionPolicy.AFTER_CHECK_PASSED_OR_ON_DEMAND.equals(
                  check.spec().preemptionPolicy());
        });
    return checks;
  }

  /** Asks the objects what the core works out. */
  private static final class Search {
    private final Look look;
    private final ClusterQueue queue;
    private final Set<String> checks;
    private final SharedQuota shared;
    private final Map<String, ClusterQueue> queues;
    private final List<Workload> others;

    Search(Look look, ClusterQueue queue, Set<String> checks) {
      this.look = look;
      this.queue = queue;
      this.checks = checks;
      this.shared = new SharedQuota(look.around(), queue);
      this.queues = new HashMap<>();
      look.around()
          .relatives()
          .forEach(relative -> queues.put(ObjectKey.of(relative).name(), relative));
      queues.put(ObjectKey.of(queue).name(), queue);
      this.others = shared.holders();
    }

    Optional<Deferral> find() {
      Set<ObjectKey> leaving = new LinkedHashSet<>();
      shared
          .preemptedFor(Objects.requireNonNullElse(look.workload().metadata().getUid(), ""))
          .forEach(victim -> leaving.add(ObjectKey.of(victim)));
      Set<ObjectKey> staying = new LinkedHashSet<>();
      boolean claims = !leaving.isEmpty();
      if (!shared.blind()) {
        DeferredPreemption.Outcome outcome = outcome();
        claims =
            outcome.hopeless().stream().anyMatch(this::isSelf)
                || outcome.claims().stream().anyMatch(claim -> isSelf(claim.claimant()));
        outcome.claims().stream()
            .filter(claim -> isSelf(claim.claimant()))
            .flatMap(claim -> claim.targets().stream())
            .forEach(
                target ->
                    (target.candidate().evicted() ? leaving : staying)
                        .add(target.candidate().key()));
      }
      return claims ? Optional.of(new Deferral(checks, due(), leaving, staying)) : Optional.empty();
    }

    private DeferredPreemption.Outcome outcome() {
      Candidate self = candidate(look.workload());
      List<Candidate> deferring = new ArrayList<>(List.of(self));
      Map<String, List<Candidate>> holders =
          others.stream()
              .map(this::candidate)
              .collect(Collectors.groupingBy(Candidate::clusterQueue));
      for (Workload other : others) {
        ClusterQueue queue = queues.get(candidate(other).clusterQueue());
        if (Phase.of(other, Look.required(queue, other)) == Phase.RESERVED
            && !deferring(look, queue, other).isEmpty()) {
          deferring.add(candidate(other));
        }
      }
      QuotaTree reserved = shared.used().reserve(self.clusterQueue(), self.usage());
      return new DeferredPreemption(
              new Rivals(
                  name -> holders.getOrDefault(name, List.of()),
                  PreemptionSettings.classical(),
                  FairTurn.usage(look, queue)),
              Map.of(),
              this::policy)
          .among(reserved, deferring, true);
    }

    private boolean isSelf(Candidate candidate) {
      return candidate.key().equals(look.key());
    }

    private ClusterQueuePreemption policy(String name) {
      ClusterQueue queue = queues.get(name);
      return queue == null ? ClusterQueuePreemption.never() : queue.spec().preemption();
    }

    private boolean due() {
      List<AdmissionCheckState> entries =
          look.workload().status().admissionChecks().stream()
              .filter(entry -> checks.contains(entry.name()))
              .toList();
      return entries.stream().allMatch(entry -> entry.is(CheckState.READY))
          || entries.stream().anyMatch(entry -> Boolean.TRUE.equals(entry.preemptionRequested()));
    }

    private Candidate candidate(Workload holder) {
      var admission = Objects.requireNonNull(holder.status().admission());
      String namespace = ObjectKey.of(holder).namespace();
      return new Candidate(
          ObjectKey.of(holder),
          Objects.requireNonNullElse(holder.metadata().getUid(), ""),
          admission.clusterQueue(),
          new ObjectKey(namespace, Objects.requireNonNullElse(holder.spec().queueName(), "")),
          look.priority(holder),
          QueueOrder.queuedSince(holder, false),
          Conditions.find(holder.status().conditions(), WorkloadConditions.QUOTA_RESERVED)
              .map(Condition::lastTransitionTime)
              .orElse(Instant.EPOCH),
          AdmittedUsage.of(holder),
          Conditions.isTrue(holder.status().conditions(), WorkloadConditions.EVICTED));
    }
  }
}
