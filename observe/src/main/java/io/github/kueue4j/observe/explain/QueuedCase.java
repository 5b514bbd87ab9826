// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.scheduler.Assignment;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.NoFitReason;
import io.github.kueue4j.jobs.PodGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains a Workload that waits in its queue for quota. */
final class QueuedCase {
  private static final String CLUSTER_QUEUE = "ClusterQueue";

  /** Reasons of QuotaReserved=False that the scheduler writes after it tried a Workload. */
  private static final List<String> TRIED =
      List.of("WaitingForQuota", "NoMatchingFlavor", "ExceedsMaxQuota", Decision.Preempt.REASON);

  private QueuedCase() {}

  static Explanation explain(WorkloadView workloadView) {
    Optional<String> gates = workloadView.admissionGates();
    if (gates.isPresent()) {
      return workloadView
          .finding(
              Reason.ADMISSION_GATED,
              "Admission gates keep it out of its queue: " + gates.get() + ".")
          .seen(
              workloadView.seen(
                  "metadata.annotations[" + AdmissionGates.ANNOTATION + "]", gates.get()))
          .by(
              Actor.WORKLOAD_OWNER,
              "The owner of each gate has to remove its name from the annotation.");
    }
    Optional<String> awaited = workloadView.awaitedPods();
    if (awaited.isPresent() && !PodGroup.has(workloadView.workload())) {
      return workloadView
          .finding(
              Reason.PODS_UNKNOWN,
              "It stays out of its queue until the pods of its %s are known: %s."
                  .formatted(workloadView.jobKind(), awaited.get()))
          .seen(workloadView.seenJob().stream().toList())
          .by(Actor.CLUSTER_OPERATOR, lookAtController(workloadView.jobKind()));
    }
    if (awaited.isPresent()) {
      return workloadView
          .finding(
              Reason.GROUP_INCOMPLETE,
              "It has fewer pods than places, and stays out of its queue until others are created.")
          .by(
              Actor.WORKLOAD_OWNER,
              "Create the pods that the group misses, or delete its Workload if none will come.");
    }
    Optional<Explanation> obstacle = QueueProblems.obstacle(workloadView);
    if (obstacle.isPresent()) {
      return obstacle.get();
    }
    if (StatedCase.reason(workloadView.conditions().notReserved().orElse(null))
        == Reason.NOT_SUPPORTED) {
      return StatedCase.explain(workloadView, "The scheduler leaves it out.");
    }
    if (CheckStage.asks(workloadView.workload())
        && !workloadView.entries(CheckState.PENDING).isEmpty()) {
      return beforeQuota(workloadView);
    }
    ClusterQueue queue = workloadView.around().clusterQueue();
    if (!MissingRights.noneForQuota(workloadView.around())) {
      return StatedCase.unread(workloadView);
    }
    if (queue == null) {
      throw new IllegalStateException("the ClusterQueue must exist if the queues have no obstacle");
    }
    if (!selected(workloadView, queue)) {
      return namespace(workloadView, queue);
    }
    QueuePosition queuePosition;
    Assignment now;
    try {
      queuePosition = new QueuePosition(workloadView, queue);
      now = queuePosition.now();
    } catch (RuntimeException e) {
      // Amounts that can't be summed up; the core reports the same in the condition.
      return StatedCase.explain(
          workloadView, "The scheduler can't process its requests: " + e.getMessage());
    }
    String said = workloadView.conditions().notReserved().map(Condition::reason).orElse("");
    Optional<Explanation> turn =
        FairSharingTurn.of(workloadView, queue).flatMap(fair -> fair.explain(queuePosition, now));
    if (turn.isPresent()) {
      return turn.get();
    }
    return switch (now) {
      case Assignment.Fits fits -> fits(workloadView, queue, queuePosition, said);
      case Assignment.Preempts preempts -> StatedCase.explain(workloadView, preempts.message());
      case Assignment.NoFit noFit -> {
        if (said.equals(Decision.Preempt.REASON)) {
          yield preempting(workloadView, queuePosition);
        }
        // The core knows its configuration, so its condition takes precedence.
        boolean disagrees = TRIED.contains(said) && !said.equals(noFit.reason().conditionReason());
        yield disagrees
            ? StatedCase.explain(workloadView, "The scheduler can't reserve quota for it.")
            : noFit(workloadView, queue, queuePosition, noFit);
      }
    };
  }

  /** The remedy if what a controller makes of an object of this kind is missing. */
  static String lookAtController(String kind) {
    return "Look at the controller of %ss, and at its events on this one.".formatted(kind);
  }

  /** Explains a Workload whose checks are asked before quota. */
  private static Explanation beforeQuota(WorkloadView workloadView) {
    List<AdmissionCheckState> open = workloadView.entries(CheckState.PENDING);
    return workloadView
        .finding(
            Reason.CHECK_PENDING,
            "No quota is reserved for it before checks say Ready: "
                + workloadView.conditions().notReserved().map(Condition::message).orElse("")
                + "."
                + workloadView.askedLater())
        .seen(open.stream().map(workloadView::seen).toList())
        .seen(workloadView.seen(WorkloadConditions.QUOTA_RESERVED))
        .by(
            Actor.CHECK_OPERATOR,
            "It continues when they answer. If one stays silent, see its condition Active and its"
                + " controller; without the annotation "
                + CheckStage.ANNOTATION
                + " of the AdmissionCheck it is asked with quota.");
  }

  /** Explains a Workload whose victims still hold quota. */
  private static Explanation preempting(WorkloadView workloadView, QueuePosition queuePosition) {
    return workloadView
        .finding(
            Reason.PREEMPTING,
            "Workloads that are preempted for it still hold their quota: "
                + workloadView
                    .conditions()
                    .find(WorkloadConditions.QUOTA_RESERVED)
                    .map(Condition::message)
                    .orElse(""))
        .seen(workloadView.seen(WorkloadConditions.QUOTA_RESERVED))
        .seen(queuePosition.quota())
        .seen(queuePosition.victims())
        .by(
            Actor.NONE,
            "It gets their quota when their Jobs have stopped. If one doesn't stop, explain"
                + " that one.");
  }

  /** Whether the ClusterQueue takes Workloads of the namespace, as far as its labels are known. */
  private static boolean selected(WorkloadView workloadView, ClusterQueue queue) {
    return workloadView.around().mayRead(CoreTypes.NAMESPACE)
        ? LabelSelectors.matches(
            queue.spec().namespaceSelector(), workloadView.around().namespaceLabels())
        : StatedCase.reason(workloadView.conditions().notReserved().orElse(null))
            != Reason.NAMESPACE_NOT_SELECTED;
  }

  private static Explanation namespace(WorkloadView workloadView, ClusterQueue queue) {
    return workloadView
        .finding(
            Reason.NAMESPACE_NOT_SELECTED,
            "Its ClusterQueue %s doesn't take workloads of the namespace %s."
                .formatted(ObjectKey.of(queue).name(), workloadView.key().namespace()))
        .seen(
            Evidence.of(
                CLUSTER_QUEUE,
                ObjectKey.of(queue).name(),
                "spec.namespaceSelector",
                queue.spec().namespaceSelector() == null
                    ? "absent, which selects nothing"
                    : oneLine(queue.spec().namespaceSelector().toJson())))
        .seen(
            Evidence.of(
                "Namespace",
                workloadView.key().namespace(),
                "metadata.labels",
                workloadView.around().mayRead(CoreTypes.NAMESPACE)
                    ? workloadView.around().namespaceLabels().toString()
                    : MissingRights.unread(CoreTypes.NAMESPACE)))
        .by(
            Actor.QUEUE_ADMINISTRATOR,
            "Label the namespace, widen the selector, or offer a LocalQueue of another"
                + " ClusterQueue.");
  }

  private static Explanation fits(
      WorkloadView workloadView, ClusterQueue queue, QueuePosition queuePosition, String said) {
    Optional<QueuedWorkload> head = queuePosition.ahead().stream().findFirst();
    if (strict(queue) && head.isPresent()) {
      return blocked(workloadView, queue, queuePosition, head.get());
    }
    if (said.equals("WaitingForPodsReady")) {
      return workloadView
          .finding(
              Reason.WAITING_FOR_PODS_READY,
              "There is quota for it, but the pods of an admitted workload aren't ready yet,"
                  + " and no other is admitted before they are"
                  + " (waitForPodsReady.blockAdmission).")
          .seen(workloadView.seen(WorkloadConditions.QUOTA_RESERVED))
          .seen(queuePosition.quota())
          .by(
              Actor.NONE,
              "It continues when the pods of all admitted workloads are ready or time out: see"
                  + " which Workloads are Admitted without PodsReady.");
    }
    if (!said.isEmpty() && !TRIED.contains(said) && !said.equals("PendingEvaluation")) {
      return StatedCase.explain(workloadView, "The scheduler does not reserve quota for it.");
    }
    Instant since = waitingSince(workloadView);
    return CoreSteps.due(
        workloadView,
        since,
        "reserves quota for it, because there is enough",
        List.of(workloadView.seen(WorkloadConditions.QUOTA_RESERVED), queuePosition.quota()));
  }

  private static Explanation noFit(
      WorkloadView workloadView,
      ClusterQueue queue,
      QueuePosition queuePosition,
      Assignment.NoFit noFit) {
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(queuePosition.quota());
    evidence.addAll(queuePosition.cohorts());
    evidence.add(workloadView.seen(WorkloadConditions.QUOTA_RESERVED));
    String name = ObjectKey.of(queue).name();
    return switch (noFit.reason()) {
      case EXCEEDS_MAX_QUOTA ->
          exceeds(workloadView, name, queuePosition, noFit)
              .seen(evidence)
              .by(
                  Actor.WORKLOAD_OWNER,
                  "Request less, use another queue, or have the quota or limit raised; waiting"
                      + " won't help."
                      + othersWait(queue, queuePosition));
      case NO_MATCHING_FLAVOR ->
          workloadView
              .finding(
                  uncovered(noFit) ? Reason.RESOURCE_NOT_COVERED : Reason.FLAVORS_UNSUITABLE,
                  (uncovered(noFit)
                          ? "ClusterQueue "
                              + name
                              + " has no quota for a resource that it requests: "
                          : "No flavor of ClusterQueue " + name + " matches its pods: ")
                      + noFit.message()
                      + ".")
              .seen(evidence)
              .seen(queuePosition.flavors())
              .by(
                  Actor.WORKLOAD_OWNER,
                  (uncovered(noFit)
                          ? "Don't request it, use another queue, or have the resource added to the"
                              + " ClusterQueue."
                          : "Add the toleration or the node selector that a flavor needs, or use"
                              + " another queue.")
                      + othersWait(queue, queuePosition));
      default -> waiting(workloadView, queue, queuePosition, noFit, evidence);
    };
  }

  /** The effect of a head that can never fit on the others. */
  private static String othersWait(ClusterQueue queue, QueuePosition queuePosition) {
    return strict(queue) && queuePosition.ahead().isEmpty()
        ? " No other workload passes it at the head of StrictFIFO ClusterQueue "
            + ObjectKey.of(queue).name()
            + ": deactivate it (spec.active: false) to let them."
        : "";
  }

  private static Finding exceeds(
      WorkloadView workloadView,
      String queue,
      QueuePosition queuePosition,
      Assignment.NoFit noFit) {
    String asked = "It requests more than ClusterQueue " + queue;
    String what = ": " + noFit.message() + ".";
    if (queuePosition.limitedInBorrowing()) {
      return workloadView.finding(
          Reason.BORROWING_LIMITED,
          asked + " may borrow (borrowingLimit), although its Cohort has enough" + what);
    }
    return queuePosition.limitedByLenders()
        ? workloadView.finding(
            Reason.LENDING_LIMITED,
            asked + " can get from the other members of its Cohort (lendingLimit)" + what)
        : workloadView.finding(
            Reason.EXCEEDS_QUOTA,
            "It requests more than the whole quota of ClusterQueue " + queue + what);
  }

  private static Explanation waiting(
      WorkloadView workloadView,
      ClusterQueue queue,
      QueuePosition queuePosition,
      Assignment.NoFit noFit,
      List<Evidence> evidence) {
    List<QueuedWorkload> ahead = queuePosition.ahead();
    if (strict(queue) && !ahead.isEmpty()) {
      return blocked(workloadView, queue, queuePosition, ahead.getFirst());
    }
    if (workloadView.conditions().preempted()) {
      evidence.add(workloadView.seen(WorkloadConditions.PREEMPTED));
    }
    evidence.addAll(queuePosition.holders());
    if (ahead.isEmpty()) {
      return workloadView
          .finding(
              Reason.QUOTA_IN_USE,
              "Other workloads use the quota of ClusterQueue %s, and it is the next in its queue: %s."
                  .formatted(ObjectKey.of(queue).name(), noFit.message()))
          .seen(evidence)
          .by(
              Actor.NONE,
              "It gets quota when enough is released. If that takes too long, it may need a"
                  + " higher priority or a queue that preempts.");
    }
    return workloadView
        .finding(
            Reason.BEHIND_OTHERS,
            "Other workloads use the quota of ClusterQueue "
                + ObjectKey.of(queue).name()
                + ", and "
                + ahead.size()
                + " with a higher priority or an earlier queueing time wait"
                + (ahead.size() == 1 ? "s" : "")
                + " before it: "
                + noFit.message()
                + ".")
        .seen(queuePosition.places())
        .seen(evidence)
        .by(
            Actor.NONE,
            "It gets quota after those before it; a higher priority would move it forward.");
  }

  private static Explanation blocked(
      WorkloadView workloadView,
      ClusterQueue queue,
      QueuePosition queuePosition,
      QueuedWorkload head) {
    return workloadView
        .finding(
            Reason.BLOCKED_BY_HEAD,
            "ClusterQueue "
                + ObjectKey.of(queue).name()
                + " is StrictFIFO, and "
                + head.key()
                + queuePosition
                    .neverFits(head)
                    .map(why -> " at its head can never fit: " + why)
                    .orElseGet(() -> " at its head gets no quota: " + queuePosition.why(head))
                + ".")
        .seen(
            Evidence.of(
                CLUSTER_QUEUE,
                ObjectKey.of(queue).name(),
                "spec.queueingStrategy",
                queue.spec().queueingStrategy().value()))
        .seen(queuePosition.places())
        .seen(queuePosition.quota())
        .by(
            Actor.QUEUE_ADMINISTRATOR,
            "Explain the head: './kueue4j explain -n "
                + head.key().namespace()
                + " "
                + head.key().name()
                + "'. Deactivating it lets the others pass, as does the strategy BestEffortFIFO.");
  }

  static Instant waitingSince(WorkloadView workloadView) {
    Instant created = workloadView.createdAt();
    @Nullable Instant requeued =
        workloadView.conditions().changedAt(WorkloadConditions.REQUEUED).orElse(null);
    // A condition that the core wrote since then shows that it runs and still tries.
    Instant said =
        workloadView.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(created);
    Instant latest = said.isAfter(created) ? said : created;
    return requeued != null && requeued.isAfter(latest) ? requeued : latest;
  }

  private static boolean strict(ClusterQueue queue) {
    return queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO);
  }

  private static boolean uncovered(Assignment.NoFit noFit) {
    return noFit.reason() == NoFitReason.NO_MATCHING_FLAVOR
        && noFit.message().contains("unavailable in ClusterQueue");
  }

  private static String oneLine(String json) {
    return json.replaceAll("\\s*\\R\\s*", " ");
  }
}
