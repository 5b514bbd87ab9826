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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.PreemptionTexts;
import io.github.kueue4j.core.preemption.Preemptor;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.preemption.TargetSearch;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.quota.QuotaView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * One scheduling cycle: at most one head per ClusterQueue, decided in the order priority, waiting
 * time, uid. What one takes of a Cohort's quota, the next one doesn't find any more.
 */
@API(status = API.Status.INTERNAL)
public final class SchedulingCycle {
  private static final String MISCONFIGURED = "Misconfigured";

  private SchedulingCycle() {}

  /**
   * A Workload that is next in its ClusterQueue.
   *
   * @param clusterQueue name of the ClusterQueue
   * @param workload its head
   */
  public record Head(String clusterQueue, QueuedWorkload workload) {}

  /** Decides about every head; the decisions are in the order in which they hold. */
  public static List<Decision> run(Snapshot snapshot, List<Head> heads) {
    List<Decision> decisions = new ArrayList<>();
    QuotaTree.Trial taken = snapshot.quota().trial();
    heads.stream()
        .sorted(Comparator.comparing(Head::workload))
        .forEach(
            head -> {
              Decision decision = decideOrPark(snapshot, taken, head);
              switch (decision) {
                case Decision.Reserve reserve ->
                    taken.take(reserve.clusterQueue(), reserve.usage());
                // What its victims let go of is for this one.
                case Decision.Preempt preempt ->
                    taken.take(preempt.clusterQueue(), preempt.usage());
                case Decision.Inadmissible refused -> {}
              }
              decisions.add(decision);
            });
    return decisions;
  }

  /** One head that can't be dealt with must not keep the others from being decided. */
  private static Decision decideOrPark(Snapshot snapshot, QuotaView quota, Head head) {
    try {
      return decide(snapshot, quota, head);
    } catch (RuntimeException e) {
      return new Decision.Inadmissible(
          head.clusterQueue(),
          head.workload(),
          MISCONFIGURED,
          "Failed to admit workload: " + e,
          false);
    }
  }

  private static Decision decide(Snapshot snapshot, QuotaView quota, Head head) {
    QueuedWorkload workload = head.workload();
    Snapshot.Queue queue = snapshot.queues().get(head.clusterQueue());
    if (queue == null) {
      return new Decision.Inadmissible(
          head.clusterQueue(),
          workload,
          MISCONFIGURED,
          "ClusterQueue " + head.clusterQueue() + " not found",
          true);
    }
    Map<String, String> labels =
        snapshot.namespaces().getOrDefault(workload.key().namespace(), Map.of());
    if (!LabelSelectors.matches(queue.spec().namespaceSelector(), labels)) {
      return new Decision.Inadmissible(
          head.clusterQueue(),
          workload,
          MISCONFIGURED,
          "workload namespace doesn't match ClusterQueue selector",
          false);
    }
    FlavorAssigner assigner =
        new FlavorAssigner(head.clusterQueue(), queue.spec(), quota, snapshot.flavors());
    return switch (assigner.assign(workload.podSets())) {
      case Assignment.Fits fits -> reserve(queue, head, fits);
      case Assignment.Preempts preempts ->
          throw new IllegalStateException("nobody was asked to give way");
      case Assignment.NoFit noFit ->
          preempt(snapshot, queue, head, noFit)
              .orElseGet(
                  () ->
                      new Decision.Inadmissible(
                          head.clusterQueue(),
                          workload,
                          noFit.reason().conditionReason(),
                          noFit.message(),
                          queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO)));
    };
  }

  /** What preemption can do for a head that lacks nothing but quota that others hold. */
  private static Optional<Decision> preempt(
      Snapshot snapshot, Snapshot.Queue queue, Head head, Assignment.NoFit noFit) {
    if (noFit.reason() != NoFitReason.WAITING_FOR_QUOTA) {
      return Optional.empty();
    }
    QueuedWorkload workload = head.workload();
    String name = head.clusterQueue();
    QuotaTree.Trial relieved = snapshot.quota().trial();
    queue.holders().forEach(holder -> relieved.giveBack(name, holder.usage()));
    Assignment assignment =
        new FlavorAssigner(name, queue.spec(), relieved, snapshot.flavors())
            .assign(workload.podSets());
    if (!(assignment instanceof Assignment.Fits fits)
        || !(reserve(queue, head, fits) instanceof Decision.Reserve)) {
      return Optional.empty();
    }
    Preemptor preemptor =
        new Preemptor(
            name,
            new ObjectKey(workload.key().namespace(), workload.localQueue()),
            workload.priority(),
            workload.queuedSince(),
            fits.usage(),
            fits.usage().asMap().entrySet().stream()
                .filter(
                    entry -> entry.getValue() > snapshot.quota().available(name, entry.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet()));
    List<Target> targets =
        new TargetSearch(
                snapshot.quota(),
                of -> of.equals(name) ? queue.holders() : List.of(),
                PreemptionSettings.classical(),
                queue.usage())
            .targets(preemptor, queue.spec().preemption());
    return targets.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Decision.Preempt(
                name,
                workload,
                fits.usage(),
                targets,
                noFit.message() + PreemptionTexts.pending(targets.size())));
  }

  private static Decision reserve(Snapshot.Queue queue, Head head, Assignment.Fits fits) {
    Admission admission = new Admission(head.clusterQueue(), fits.podSets());
    Set<String> checks = CheckStrategy.ofAssignment(queue.spec(), admission);
    return checks.size() > CheckStrategy.LIMIT
        ? new Decision.Inadmissible(
            head.clusterQueue(),
            head.workload(),
            MISCONFIGURED,
            "the flavors that fit require %d AdmissionChecks together (%s), more than the %d that the status of a workload holds"
                .formatted(checks.size(), String.join(", ", checks), CheckStrategy.LIMIT),
            false)
        : new Decision.Reserve(head.clusterQueue(), head.workload(), admission, fits.usage());
  }
}
