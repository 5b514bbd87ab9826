// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Unsupported;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains a queued Workload by what the core has written about it and its queue. */
final class StatedCase {
  private StatedCase() {}

  /** Where the core knows more than the objects show. */
  static Explanation explain(WorkloadView workloadView, String lead) {
    Condition said = workloadView.conditions().notReserved().orElse(null);
    WhoActs who = who(said);
    return workloadView
        .finding(reason(said), said == null ? lead : lead + " Its message: " + words(said))
        .seen(workloadView.seen(WorkloadConditions.QUOTA_RESERVED))
        .by(who.actor(), who.action());
  }

  /** Where the user may not read all that the scheduler decides by. */
  static Explanation unread(WorkloadView workloadView) {
    Condition said = workloadView.conditions().notReserved().orElse(null);
    if (said == null) {
      return notSaid(workloadView);
    }
    WhoActs who = who(said);
    return workloadView
        .finding(reason(said), "It waits for quota. The core says: " + words(said))
        .seen(evidence(workloadView))
        .by(who.actor(), who.action() + MissingRights.forQuota(workloadView.around()));
  }

  private static Explanation notSaid(WorkloadView workloadView) {
    boolean overdue =
        QueuedCase.waitingSince(workloadView)
            .plus(WorkloadView.PATIENCE)
            .isBefore(workloadView.now());
    return overdue
        ? workloadView
            .finding(
                Reason.NOT_RESERVED,
                "It waits for quota, and the core has not said yet why it gets none.")
            .seen(evidence(workloadView))
            .by(
                Actor.CORE_OPERATOR,
                "If that stays so, check that a core is running."
                    + MissingRights.forQuota(workloadView.around()))
        : CoreSteps.due(
            workloadView,
            null,
            "reserves quota for it, or says why it gets none",
            evidence(workloadView));
  }

  private static List<Evidence> evidence(WorkloadView workloadView) {
    ExplainInput around = workloadView.around();
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(workloadView.seen(WorkloadConditions.QUOTA_RESERVED));
    if (around.clusterQueue() == null) {
      around
          .clusterQueueName()
          .ifPresent(name -> evidence.add(MissingRights.unread(KueueTypes.CLUSTER_QUEUE, name)));
    }
    return evidence;
  }

  private static WhoActs who(@Nullable Condition said) {
    return switch (reason(said)) {
      case QUOTA_IN_USE -> new WhoActs(Actor.NONE, "It gets quota when enough is released.");
      case PREEMPTING ->
          new WhoActs(
              Actor.NONE, "It gets the quota of those who are preempted when they have stopped.");
      case WAITING_FOR_PODS_READY ->
          new WhoActs(
              Actor.NONE,
              "It continues when the pods of all admitted workloads are ready or time out.");
      case NAMESPACE_NOT_SELECTED ->
          new WhoActs(
              Actor.QUEUE_ADMINISTRATOR,
              "Label the namespace, widen the selector, or offer a LocalQueue of another"
                  + " ClusterQueue.");
      case EXCEEDS_QUOTA ->
          new WhoActs(
              Actor.WORKLOAD_OWNER,
              "Request less, use another queue, or have the quota or limit raised; waiting won't"
                  + " help.");
      default ->
          said != null && said.reason().equals("PendingEvaluation")
              ? new WhoActs(Actor.NONE, "The scheduler tries it in the order of the queue.")
              : new WhoActs(Actor.WORKLOAD_OWNER, "Resolve the problem that the condition names.");
    };
  }

  /** The statement of the core about a ClusterQueue that may not be read, on its LocalQueue. */
  static Optional<Explanation> onLocalQueue(WorkloadView workloadView, LocalQueue local) {
    String name = String.valueOf(local.spec().clusterQueue());
    return Conditions.find(local.status().conditions(), Health.ACTIVE)
        .filter(stated -> stated.isFalse() && stated.reason().startsWith("ClusterQueue"))
        .map(
            stated -> {
              boolean missing = stated.reason().equals("ClusterQueueDoesNotExist");
              return workloadView
                  .finding(
                      missing ? Reason.CLUSTER_QUEUE_MISSING : Reason.CLUSTER_QUEUE_INACTIVE,
                      missing
                          ? "Its LocalQueue points to the ClusterQueue "
                              + name
                              + ", which doesn't exist."
                          : "Its ClusterQueue "
                              + name
                              + " can't admit. The core says: "
                              + stated.message())
                  .seen(
                      Evidence.of(
                          "LocalQueue",
                          ObjectKey.of(local),
                          "status.conditions[Active]",
                          Evidence.words(stated)))
                  .by(
                      Actor.QUEUE_ADMINISTRATOR,
                      missing
                          ? QueueProblems.CREATE_CLUSTER_QUEUE
                          : "Resolve the problem that the condition Active names.");
            });
  }

  /** The reason that the condition QuotaReserved states. */
  static Reason reason(@Nullable Condition said) {
    if (said == null) {
      return Reason.NOT_RESERVED;
    }
    String message = said.message();
    return switch (said.reason()) {
      case "WaitingForQuota" -> Reason.QUOTA_IN_USE;
      case "ExceedsMaxQuota" -> Reason.EXCEEDS_QUOTA;
      case "NoMatchingFlavor" ->
          message.contains("unavailable in ClusterQueue")
              ? Reason.RESOURCE_NOT_COVERED
              : Reason.FLAVORS_UNSUITABLE;
      case Decision.Preempt.REASON -> Reason.PREEMPTING;
      case "WaitingForPodsReady" -> Reason.WAITING_FOR_PODS_READY;
      case WorkloadConditions.MISCONFIGURED ->
          message.contains(Unsupported.MARK)
              ? Reason.NOT_SUPPORTED
              : message.contains("doesn't match ClusterQueue selector")
                  ? Reason.NAMESPACE_NOT_SELECTED
                  : Reason.NOT_RESERVED;
      default -> Reason.NOT_RESERVED;
    };
  }

  /** The message as a sentence, or else the reason. */
  private static String words(Condition said) {
    String words = said.message().isEmpty() ? said.reason() : said.message();
    return words.endsWith(".") ? words : words + ".";
  }
}
