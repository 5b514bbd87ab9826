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
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.scheduler.Assignment;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.NoFitReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** In a queue, without quota. */
final class Queued {
  private static final String CLUSTER_QUEUE = "ClusterQueue";

  /** Reasons of QuotaReserved=False with which the scheduler says that it tried. */
  private static final List<String> TRIED =
      List.of("WaitingForQuota", "NoMatchingFlavor", "ExceedsMaxQuota", Decision.Preempt.REASON);

  private Queued() {}

  static Explanation explain(Look look) {
    Optional<String> gates = AdmissionGates.of(look.workload());
    if (gates.isPresent()) {
      return look.finding(
              Reason.ADMISSION_GATED, "It is held out of its queue by: " + gates.get() + ".")
          .seen(look.seen("metadata.annotations[" + AdmissionGates.ANNOTATION + "]", gates.get()))
          .by(
              Party.WORKLOAD_OWNER,
              "Whoever is named there takes the name off the annotation when the time has come.");
    }
    Optional<Explanation> obstacle = Queues.obstacle(look);
    if (obstacle.isPresent()) {
      return obstacle.get();
    }
    ClusterQueue queue = look.around().clusterQueue();
    if (queue == null) {
      throw new IllegalStateException("a queue without an obstacle exists");
    }
    if (!LabelSelectors.matches(
        queue.spec().namespaceSelector(), look.around().namespaceLabels())) {
      return namespace(look, queue);
    }
    Line line;
    Assignment now;
    try {
      line = new Line(look, queue);
      now = line.now();
    } catch (RuntimeException e) {
      // Amounts that nobody can add up; the core says the same in the condition.
      return stated(look, "The scheduler can't deal with what it asks for: " + e.getMessage());
    }
    String said = look.reasonOf(WorkloadConditions.QUOTA_RESERVED, Condition.FALSE);
    Optional<Explanation> turn = FairTurn.of(look, queue).flatMap(fair -> fair.explain(line, now));
    if (turn.isPresent()) {
      return turn.get();
    }
    return switch (now) {
      case Assignment.Fits fits -> fits(look, queue, line, said);
      case Assignment.Preempts preempts -> stated(look, preempts.message());
      case Assignment.NoFit noFit -> {
        if (said.equals(Decision.Preempt.REASON)) {
          yield preempting(look, line);
        }
        // The core knows its configuration and the cohort; what it said outweighs this sum.
        boolean disagrees = TRIED.contains(said) && !said.equals(noFit.reason().conditionReason());
        yield disagrees || (line.blind() && !said.isEmpty())
            ? stated(look, "The scheduler can't reserve quota for it.")
            : noFit(look, queue, line, noFit);
      }
    };
  }

  /** Others are on their way out for this one. */
  private static Explanation preempting(Look look, Line line) {
    return look.finding(
            Reason.PREEMPTING,
            "Others give way to it and have not let go of their quota yet: "
                + look.condition(WorkloadConditions.QUOTA_RESERVED)
                    .map(Condition::message)
                    .orElse(""))
        .seen(look.seen(WorkloadConditions.QUOTA_RESERVED))
        .seen(line.quota())
        .seen(line.victims())
        .by(
            Party.NOBODY,
            "It gets their quota when their Jobs have stopped. If one doesn't stop, explain that one.");
  }

  private static Explanation namespace(Look look, ClusterQueue queue) {
    return look.finding(
            Reason.NAMESPACE_NOT_SELECTED,
            "Its ClusterQueue "
                + ObjectKey.of(queue).name()
                + " doesn't take workloads of the namespace "
                + look.key().namespace()
                + ".")
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
                look.key().namespace(),
                "metadata.labels",
                look.around().namespaceLabels().toString()))
        .by(
            Party.QUEUE_ADMINISTRATOR,
            "Label the namespace, widen the selector, or offer a LocalQueue of another"
                + " ClusterQueue.");
  }

  private static Explanation fits(Look look, ClusterQueue queue, Line line, String said) {
    Optional<QueuedWorkload> head = line.ahead().stream().findFirst();
    if (strict(queue) && head.isPresent()) {
      return blocked(look, queue, line, head.get());
    }
    if (said.equals("WaitingForPodsReady")) {
      return look.finding(
              Reason.WAITING_FOR_PODS_READY,
              "There is quota for it, but another one that was admitted is still starting, and one"
                  + " starts after the other (waitForPodsReady.blockAdmission).")
          .seen(look.seen(WorkloadConditions.QUOTA_RESERVED))
          .seen(line.quota())
          .by(
              Party.NOBODY,
              "It goes on when the pods of all that are admitted are ready, or their time is over:"
                  + " see which Workloads are Admitted without PodsReady.");
    }
    if (!said.isEmpty() && !TRIED.contains(said) && !said.equals("PendingEvaluation")) {
      return stated(look, "The scheduler holds it back.");
    }
    Instant since = waitingSince(look);
    return CoreSteps.due(
        look,
        since,
        "reserves quota for it, there is enough",
        List.of(look.seen(WorkloadConditions.QUOTA_RESERVED), line.quota()));
  }

  private static Explanation noFit(
      Look look, ClusterQueue queue, Line line, Assignment.NoFit noFit) {
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(line.quota());
    evidence.addAll(line.cohorts());
    evidence.add(look.seen(WorkloadConditions.QUOTA_RESERVED));
    String name = ObjectKey.of(queue).name();
    return switch (noFit.reason()) {
      case EXCEEDS_MAX_QUOTA ->
          exceeds(look, name, line, noFit)
              .seen(evidence)
              .by(
                  Party.WORKLOAD_OWNER,
                  "Ask for less, use another queue, or have the quota or limit raised; waiting won't help.");
      case NO_MATCHING_FLAVOR ->
          look.finding(
                  uncovered(noFit) ? Reason.RESOURCE_NOT_COVERED : Reason.FLAVORS_UNSUITABLE,
                  (uncovered(noFit)
                          ? "ClusterQueue " + name + " has no quota for something it asks for: "
                          : "No flavor of ClusterQueue " + name + " suits its pods: ")
                      + noFit.message()
                      + ".")
              .seen(evidence)
              .seen(line.flavors())
              .by(
                  Party.WORKLOAD_OWNER,
                  uncovered(noFit)
                      ? "Don't ask for it, use another queue, or have the resource added to the"
                          + " ClusterQueue."
                      : "Add the toleration or the node selector that a flavor needs, or use"
                          + " another queue.");
      default -> waiting(look, queue, line, noFit, evidence);
    };
  }

  private static Finding exceeds(Look look, String queue, Line line, Assignment.NoFit noFit) {
    String asked = "It asks for more than ClusterQueue " + queue;
    String what = ": " + noFit.message() + ".";
    if (line.limitedInBorrowing()) {
      return look.finding(
          Reason.BORROWING_LIMITED,
          asked + " may borrow (borrowingLimit), though its Cohort has as much" + what);
    }
    return line.limitedByLenders()
        ? look.finding(
            Reason.LENDING_LIMITED,
            asked + " is lent by the others of its Cohort (lendingLimit)" + what)
        : look.finding(
            Reason.EXCEEDS_QUOTA,
            "It asks for more than all the quota of ClusterQueue " + queue + what);
  }

  private static Explanation waiting(
      Look look, ClusterQueue queue, Line line, Assignment.NoFit noFit, List<Evidence> evidence) {
    List<QueuedWorkload> ahead = line.ahead();
    if (strict(queue) && !ahead.isEmpty()) {
      return blocked(look, queue, line, ahead.getFirst());
    }
    if (look.isTrue(WorkloadConditions.PREEMPTED)) {
      evidence.add(look.seen(WorkloadConditions.PREEMPTED));
    }
    evidence.addAll(line.holders());
    if (ahead.isEmpty()) {
      return look.finding(
              Reason.QUOTA_IN_USE,
              "Others use the quota of ClusterQueue "
                  + ObjectKey.of(queue).name()
                  + ", and it is next in line: "
                  + noFit.message()
                  + ".")
          .seen(evidence)
          .by(
              Party.NOBODY,
              "It gets quota when enough of it is given back. It may be preempting, or need a higher"
                  + " priority, if that takes too long.");
    }
    return look.finding(
            Reason.BEHIND_OTHERS,
            "Others use the quota of ClusterQueue "
                + ObjectKey.of(queue).name()
                + ", and "
                + ahead.size()
                + " with a higher priority or an earlier start wait"
                + (ahead.size() == 1 ? "s" : "")
                + " before it: "
                + noFit.message()
                + ".")
        .seen(line.places())
        .seen(evidence)
        .by(
            Party.NOBODY,
            "Its turn comes when those ahead have got quota; a higher priority would move it"
                + " forward.");
  }

  private static Explanation blocked(
      Look look, ClusterQueue queue, Line line, QueuedWorkload head) {
    return look.finding(
            Reason.BLOCKED_BY_HEAD,
            "ClusterQueue "
                + ObjectKey.of(queue).name()
                + " is strict, and "
                + head.key()
                + " at its head doesn't get quota: "
                + line.why(head)
                + ".")
        .seen(
            Evidence.of(
                CLUSTER_QUEUE,
                ObjectKey.of(queue).name(),
                "spec.queueingStrategy",
                queue.spec().queueingStrategy().value()))
        .seen(line.places())
        .seen(line.quota())
        .by(
            Party.QUEUE_ADMINISTRATOR,
            "Explain the head: './kueue4j explain -n "
                + head.key().namespace()
                + " "
                + head.key().name()
                + "'. Deactivating it lets the others pass, as does the strategy BestEffortFIFO.");
  }

  /** What the core itself says; used where it knows more than can be seen from outside. */
  private static Explanation stated(Look look, String lead) {
    String message =
        look.condition(WorkloadConditions.QUOTA_RESERVED)
            .filter(Condition::isFalse)
            .map(Condition::message)
            .orElse("");
    Reason reason =
        switch (look.reasonOf(WorkloadConditions.QUOTA_RESERVED, Condition.FALSE)) {
          case "WaitingForQuota" -> Reason.QUOTA_IN_USE;
          case "ExceedsMaxQuota" -> Reason.EXCEEDS_QUOTA;
          case "NoMatchingFlavor" ->
              message.contains("unavailable in ClusterQueue")
                  ? Reason.RESOURCE_NOT_COVERED
                  : Reason.FLAVORS_UNSUITABLE;
          default -> Reason.NOT_RESERVED;
        };
    return look.finding(reason, lead + (message.isEmpty() ? "" : " It says: " + message))
        .seen(look.seen(WorkloadConditions.QUOTA_RESERVED))
        .by(
            reason == Reason.QUOTA_IN_USE ? Party.NOBODY : Party.WORKLOAD_OWNER,
            reason == Reason.QUOTA_IN_USE
                ? "It gets quota when enough of it is given back."
                : "Put in order what the condition says.");
  }

  private static Instant waitingSince(Look look) {
    Instant created = look.createdAt();
    @Nullable Instant requeued =
        look.condition(WorkloadConditions.REQUEUED).map(Condition::lastTransitionTime).orElse(null);
    // A condition that the core wrote since shows that it is alive and still trying.
    Instant said =
        look.condition(WorkloadConditions.QUOTA_RESERVED)
            .map(Condition::lastTransitionTime)
            .orElse(created);
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
