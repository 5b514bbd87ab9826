// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.PodSetDemand;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The position of a Workload in its queue, and the quota that the queue waits for. */
final class QueuePosition {
  private static final Logger log = LoggerFactory.getLogger(QueuePosition.class);
  private static final int MOST_SHOWN = 5;

  private final WorkloadView workloadView;
  private final ClusterQueue queue;
  private final SharedQuota shared;
  private final QuotaTree unused;
  private final QuotaTree used;
  private final DemandCalculator demands;
  private final QueuedWorkload self;

  /** Whether pod sets would fit the unused quota. */
  private final Map<List<PodSetDemand>, Boolean> fitUnused = new HashMap<>();

  /** The others, once they were asked for: there may be thousands. */
  private @Nullable List<QueuedWorkload> others;

  QueuePosition(WorkloadView workloadView, ClusterQueue queue) {
    this.workloadView = workloadView;
    this.queue = queue;
    this.shared = new SharedQuota(workloadView.around(), queue);
    this.unused = shared.unused();
    this.used = shared.used();
    Configuration known = workloadView.around().configuration();
    this.demands =
        known == null ? DemandCalculator.plain() : DemandCalculator.plain(known.resourceRules());
    this.self = queued(workloadView.workload());
  }

  /** The assignment that the scheduler would make now. */
  Assignment now() {
    return assign(used, self);
  }

  /** A clause about why another Workload doesn't fit now, or that it is about to get quota. */
  String why(QueuedWorkload other) {
    return switch (assign(used, other)) {
      case Assignment.Fits fits -> "it is about to";
      case Assignment.Preempts preempts -> preempts.message();
      case Assignment.NoFit noFit -> noFit.message();
    };
  }

  /** Why another Workload can never fit, whatever the others use; empty if it may. */
  Optional<String> neverFits(QueuedWorkload other) {
    return assign(unused, other) instanceof Assignment.NoFit noFit
        ? Optional.of(noFit.message())
        : Optional.empty();
  }

  /**
   * The Workloads before this one, in the order of the queue. In a BestEffortFIFO queue, those that
   * can never fit don't count.
   */
  List<QueuedWorkload> ahead() {
    return waiting().filter(rival -> rival.compareTo(self) < 0).sorted().toList();
  }

  /** The other Workloads that wait in the same queue. */
  Stream<QueuedWorkload> waiting() {
    List<QueuedWorkload> known = others;
    if (known == null) {
      known = readOthers();
      others = known;
    }
    return known.stream();
  }

  private List<QueuedWorkload> readOthers() {
    boolean strict = queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO);
    return workloadView.around().sameQueueWorkloads().stream()
        .filter(rival -> rival.metadata().getDeletionTimestamp() == null)
        .filter(rival -> Phase.of(rival, WorkloadView.required(queue, rival)) == Phase.QUEUED)
        .flatMap(this::queuedIfReadable)
        .filter(rival -> strict || fitUnused.computeIfAbsent(rival.podSets(), this::fitsUnused))
        .toList();
  }

  /** The position of this Workload, and those before it. */
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

  /** Used and total quota of every flavor and resource. */
  Evidence quota() {
    return quota(
        "ClusterQueue",
        ObjectKey.of(queue).name(),
        key -> used.usage(NodeId.queue(name()), key),
        key -> used.potentialAvailable(name(), key));
  }

  /** Used and total quota of the Cohorts above, nearest first. */
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

  /** Whether it would fit the unused tree without borrowing limits. */
  boolean limitedInBorrowing() {
    return assign(shared.withoutBorrowingLimits(), self) instanceof Assignment.Fits;
  }

  /** Whether it would fit the unused tree without borrowing and lending limits. */
  boolean limitedByLenders() {
    return assign(shared.withoutLimits(), self) instanceof Assignment.Fits;
  }

  /** The Workloads that hold the most quota. */
  List<Evidence> holders() {
    return shared.holders().stream()
        .sorted(Comparator.comparingLong(QueuePosition::weight).reversed())
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

  /** The Workloads that were preempted for this one and still hold quota. */
  List<Evidence> victims() {
    return shared.preemptedFor(self.uid()).stream()
        .limit(MOST_SHOWN)
        .map(
            victim ->
                Evidence.of(
                    "Workload",
                    ObjectKey.of(victim),
                    "status.conditions[Preempted]",
                    victim
                        .conditions()
                        .find(WorkloadConditions.PREEMPTED)
                        .map(Evidence::words)
                        .orElse("")))
        .toList();
  }

  /** The node labels and taints of each flavor of the queue. */
  List<Evidence> flavors() {
    List<Evidence> evidence = new ArrayList<>();
    queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .distinct()
        .limit(MOST_SHOWN)
        .forEach(
            name -> {
              ResourceFlavor flavor = workloadView.around().flavors().get(name);
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
    return assign(quota, workload.podSets());
  }

  private Assignment assign(QuotaTree quota, List<PodSetDemand> podSets) {
    return new FlavorAssigner(name(), queue.spec(), quota, workloadView.around().flavors())
        .assign(podSets);
  }

  private boolean fitsUnused(List<PodSetDemand> podSets) {
    return assign(unused, podSets) instanceof Assignment.Fits;
  }

  private QueuedWorkload queued(Workload workload) {
    return QueuedWorkload.of(
            ObjectKey.of(workload),
            Uids.of(workload),
            Objects.requireNonNullElse(workload.spec().queueName(), ""),
            workloadView.priority(workload),
            QueueOrder.queuedSince(
                workload,
                workloadView
                    .podsReady()
                    .in(queue.spec())
                    .filter(PodsReadyPolicy::keepsPlace)
                    .isPresent()),
            demands.declared(demands.of(workload), queue.spec()))
        .firstSeenIn(ResourceVersions.number(workload).orElse(0));
  }

  /** Leaves out a Workload whose amounts can't be summed up; it doesn't block others. */
  private Stream<QueuedWorkload> queuedIfReadable(Workload workload) {
    try {
      return Stream.of(queued(workload));
    } catch (RuntimeException e) {
      log.atDebug()
          .setCause(e)
          .addKeyValue("workload", ObjectKey.of(workload))
          .log("Left out a waiting workload with invalid amounts");
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
