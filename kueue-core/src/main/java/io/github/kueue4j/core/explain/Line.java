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

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.queue.Demands;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.core.scheduler.Assignment;
import io.github.kueue4j.core.scheduler.FlavorAssigner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The line that a Workload stands in, and the quota at its end. */
final class Line {
  private static final Logger log = LoggerFactory.getLogger(Line.class);
  private static final int MOST_SHOWN = 5;

  private final Look look;
  private final ClusterQueue queue;
  private final SharedQuota shared;
  private final QuotaTree unused;
  private final QuotaTree used;
  private final QueuedWorkload self;

  Line(Look look, ClusterQueue queue) {
    this.look = look;
    this.queue = queue;
    this.shared = new SharedQuota(look.around(), queue);
    this.unused = shared.unused();
    this.used = shared.used();
    this.self = queued(look.workload());
  }

  /** What the scheduler would say now. */
  Assignment now() {
    return assign(used, self);
  }

  /** Why another one doesn't fit now, or that it does. */
  String why(QueuedWorkload other) {
    return switch (assign(used, other)) {
      case Assignment.Fits fits -> "it is about to";
      case Assignment.Preempts preempts -> preempts.message();
      case Assignment.NoFit noFit -> noFit.message();
    };
  }

  /**
   * Those before this one, in the order of the queue. In a queue that isn't strict those that can
   * never fit are in nobody's way.
   */
  List<QueuedWorkload> ahead() {
    return waiting().filter(rival -> rival.compareTo(self) < 0).sorted().toList();
  }

  /** The others that wait and are in this one's way, or it in theirs. */
  Stream<QueuedWorkload> waiting() {
    boolean strict = queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO);
    return look.around().rivals().stream()
        .filter(rival -> rival.metadata().getDeletionTimestamp() == null)
        .filter(rival -> Phase.of(rival, Look.required(queue, rival)) == Phase.QUEUED)
        .flatMap(this::queuedIfReadable)
        .filter(rival -> strict || assign(unused, rival) instanceof Assignment.Fits);
  }

  /** This one's place, and who stands before it. */
  Evidence places() {
    List<QueuedWorkload> ahead = ahead();
    String who =
        ahead.stream()
            .limit(MOST_SHOWN)
            .map(other -> other.key() + " (priority " + other.priority() + ")")
            .collect(Collectors.joining(", "));
    return Evidence.of(
        "ClusterQueue",
        ObjectKey.of(queue).name(),
        "its queue",
        "place "
            + (ahead.size() + 1)
            + ", priority "
            + self.priority()
            + "; ahead: "
            + who
            + (ahead.size() > MOST_SHOWN ? " and " + (ahead.size() - MOST_SHOWN) + " more" : ""));
  }

  /** Used and whole quota of every flavor and resource. */
  Evidence quota() {
    return quota(
        "ClusterQueue",
        ObjectKey.of(queue).name(),
        key -> used.usage(NodeId.queue(name()), key),
        key -> used.potentialAvailable(name(), key));
  }

  /** Used and whole quota of the Cohorts above, nearest first. */
  List<Evidence> cohorts() {
    return used.ancestors(name()).stream()
        .map(
            cohort ->
                quota(
                    "Cohort",
                    cohort.name(),
                    key -> used.usage(cohort, key),
                    key -> used.subtreeQuota(cohort, key)))
        .toList();
  }

  private Evidence quota(
      String kind,
      String owner,
      ToLongFunction<FlavorResource> usage,
      ToLongFunction<FlavorResource> whole) {
    return Evidence.of(
        kind,
        owner,
        "quota",
        Quota.byKey(queue.spec().resourceGroups()).keySet().stream()
            .sorted()
            .map(
                key ->
                    key.resource()
                        + " in "
                        + key.flavor()
                        + ": "
                        + quantity(key, usage.applyAsLong(key))
                        + " of "
                        + quantity(key, whole.applyAsLong(key))
                        + " used")
            .collect(Collectors.joining(", ")));
  }

  /** Whether the Cohort's other members could not be read. */
  boolean blind() {
    return shared.blind();
  }

  /** Whether all would fit into an unused tree but for the limits of borrowing. */
  boolean limitedInBorrowing() {
    return assign(shared.withoutBorrowingLimits(), self) instanceof Assignment.Fits;
  }

  /** Whether all would fit into an unused tree if everything were lent. */
  boolean limitedByLenders() {
    return assign(shared.withoutLimits(), self) instanceof Assignment.Fits;
  }

  /** Who holds the most quota. */
  List<Evidence> holders() {
    return shared.holders().stream()
        .sorted(Comparator.comparingLong(Line::weight).reversed())
        .limit(MOST_SHOWN)
        .map(
            rival ->
                Evidence.of(
                    "Workload",
                    ObjectKey.of(rival),
                    "status.admission",
                    AdmittedUsage.of(rival).asMap().entrySet().stream()
                        .map(
                            entry ->
                                quantity(entry.getKey(), entry.getValue())
                                    + " "
                                    + entry.getKey().resource()
                                    + " in "
                                    + entry.getKey().flavor())
                        .collect(Collectors.joining(", "))))
        .toList();
  }

  /** Who was preempted for this one and still holds quota. */
  List<Evidence> victims() {
    return shared.preemptedFor(self.uid()).stream()
        .limit(MOST_SHOWN)
        .map(
            victim ->
                Evidence.of(
                    "Workload",
                    ObjectKey.of(victim),
                    "status.conditions[Preempted]",
                    Conditions.find(victim.status().conditions(), WorkloadConditions.PREEMPTED)
                        .map(Evidence::words)
                        .orElse("")))
        .toList();
  }

  /** What each flavor of the queue demands of pods. */
  List<Evidence> flavors() {
    List<Evidence> evidence = new ArrayList<>();
    queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .distinct()
        .limit(MOST_SHOWN)
        .forEach(
            name -> {
              ResourceFlavor flavor = look.around().flavors().get(name);
              if (flavor != null) {
                evidence.add(
                    Evidence.of(
                        "ResourceFlavor",
                        name,
                        "spec",
                        "nodeLabels "
                            + new TreeMap<>(flavor.spec().nodeLabels())
                            + ", nodeTaints "
                            + flavor.spec().nodeTaints().stream()
                                .map(
                                    taint ->
                                        taint.getKey()
                                            + "="
                                            + Objects.requireNonNullElse(taint.getValue(), "")
                                            + ":"
                                            + taint.getEffect())
                                .toList()));
              }
            });
    return evidence;
  }

  private String name() {
    return ObjectKey.of(queue).name();
  }

  private Assignment assign(QuotaTree quota, QueuedWorkload workload) {
    return new FlavorAssigner(name(), queue.spec(), quota, look.around().flavors())
        .assign(workload.podSets());
  }

  private QueuedWorkload queued(Workload workload) {
    return QueuedWorkload.of(
        ObjectKey.of(workload),
        Objects.requireNonNullElse(workload.metadata().getUid(), ""),
        Objects.requireNonNullElse(workload.spec().queueName(), ""),
        look.priority(workload),
        QueueOrder.queuedSince(
            workload,
            look.podsReady().in(queue.spec()).filter(PodsReadyPolicy::keepsPlace).isPresent()),
        Demands.plain().of(workload));
  }

  /** One whose amounts nobody can add up is in nobody's way. */
  private Stream<QueuedWorkload> queuedIfReadable(Workload workload) {
    try {
      return Stream.of(queued(workload));
    } catch (RuntimeException e) {
      log.atDebug()
          .setCause(e)
          .addKeyValue("workload", ObjectKey.of(workload))
          .log("Not counted as waiting");
      return Stream.empty();
    }
  }

  private static long weight(Workload workload) {
    return AdmittedUsage.of(workload).asMap().values().stream().reduce(0L, Amounts::add);
  }

  private static Quantity quantity(FlavorResource key, long units) {
    return ResourceUnits.quantity(key.resource(), units);
  }
}
