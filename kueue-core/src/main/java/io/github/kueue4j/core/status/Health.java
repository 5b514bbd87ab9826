// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceGroup;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.quota.CohortCycle;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The health of a queue: whether it is active, as its condition {@code Active} says.
 *
 * @param active whether Workloads can get quota through it
 * @param reason of the condition, in CamelCase
 * @param message of the condition
 */
@API(status = API.Status.INTERNAL)
public record Health(boolean active, String reason, String message) {
  private static final String CAN_ADMIT = "Can admit new workloads";
  private static final String CANNOT_SUBMIT = "Can't submit new workloads to clusterQueue";

  /** The reason of ClusterQueues whose Cohorts have no root. */
  public static final String COHORT_CYCLE = "CohortCycle";

  /** The reason of ClusterQueues with a ResourceFlavor that names a Topology. */
  public static final String TOPOLOGY_NOT_FOUND = "TopologyNotFound";

  private static final String FLAVORED_BEFORE_QUOTA =
      "it is asked before quota, when no flavor is chosen: leave onFlavors out of its rule, or the"
          + " annotation "
          + CheckStage.ANNOTATION
          + " away from the AdmissionCheck";

  private static final String STOPPED = "Stopped";
  private static final String TERMINATING = "Terminating";

  /** The type of the condition. */
  public static final String ACTIVE = "Active";

  /**
   * The health of a ClusterQueue.
   *
   * @param flavors finds a ResourceFlavor by name
   * @param checks finds an AdmissionCheck by name
   * @param parentOf the parent that a Cohort names; null if it names none or doesn't exist
   */
  public static Health of(
      ClusterQueue queue,
      Function<String, Optional<ResourceFlavor>> flavors,
      Function<String, Optional<AdmissionCheck>> checks,
      Function<String, @Nullable String> parentOf) {
    if (terminating(queue)) {
      return new Health(
          false, TERMINATING, "Can't admit new workloads; clusterQueue is terminating");
    }
    List<String> reasons = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    if (stopped(queue.spec().stopPolicy())) {
      reasons.add(STOPPED);
      messages.add("is stopped");
    }
    // In the order of the spec.
    SequencedSet<String> missingFlavors = new LinkedHashSet<>();
    SequencedSet<String> topologies = new LinkedHashSet<>();
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      for (FlavorQuotas flavor : group.flavors()) {
        Optional<ResourceFlavor> found = flavors.apply(flavor.name());
        if (found.isEmpty()) {
          missingFlavors.add(flavor.name());
        } else if (found.get().spec().topologyName() != null) {
          topologies.add(flavor.name());
        }
      }
    }
    SequencedSet<String> missingChecks = new LinkedHashSet<>();
    SequencedSet<String> inactiveChecks = new LinkedHashSet<>();
    for (AdmissionCheckStrategyRule rule : queue.spec().admissionChecks()) {
      if (checks.apply(rule.name()).isEmpty()) {
        missingChecks.add(rule.name());
      }
    }
    obstacles(queue, checks)
        .forEach((name, why) -> inactiveChecks.add(name + (why.isEmpty() ? "" : " (" + why + ")")));
    note(
        reasons,
        messages,
        "FlavorNotFound",
        "references missing ResourceFlavor(s)",
        missingFlavors);
    note(
        reasons,
        messages,
        "AdmissionCheckNotFound",
        "references missing AdmissionCheck(s)",
        missingChecks);
    note(
        reasons,
        messages,
        "AdmissionCheckInactive",
        "references inactive AdmissionCheck(s)",
        inactiveChecks);
    note(
        reasons,
        messages,
        TOPOLOGY_NOT_FOUND,
        "topologies are not supported here, but one is named by spec.topologyName of"
            + " ResourceFlavor(s)",
        topologies);
    List<String> cycle = CohortCycle.above(queue.spec().cohortName(), parentOf);
    if (!cycle.isEmpty()) {
      reasons.add(COHORT_CYCLE);
      messages.add(
          "belongs to a Cohort that is its own ancestor: "
              + String.join(" > ", cycle)
              + " > "
              + cycle.getFirst());
    }
    note(
        reasons,
        messages,
        "TooManyAdmissionChecks",
        "requires more than "
            + CheckStrategy.LIMIT
            + " AdmissionChecks, as many as the status of a Workload holds, on ResourceFlavor(s)",
        CheckStrategy.impossibleFlavors(queue.spec()));
    return reasons.isEmpty()
        ? new Health(true, "Ready", CAN_ADMIT)
        : new Health(
            false,
            reasons.getFirst(),
            "Can't admit new workloads: " + String.join(", ", messages) + ".");
  }

  /**
   * The health of this ClusterQueue, which can admit, and doesn't: it is StrictFIFO, and its head
   * can never fit.
   *
   * @param why the head doesn't fit, as in its condition QuotaReserved
   */
  public Health blockedBy(ObjectKey head, String why) {
    return new Health(
        true,
        reason,
        CAN_ADMIT
            + ", but none passes the head of a StrictFIFO queue, and the head "
            + head
            + " can never fit ("
            + why
            + "): lower its requests, raise the quota, deactivate it (spec.active: false), or use"
            + " BestEffortFIFO"
            + message.substring(CAN_ADMIT.length()));
  }

  /**
   * The health of a queue that is active, and has settings without effect.
   *
   * @param ineffective sentences without their period
   */
  public Health with(List<String> ineffective) {
    return active && !ineffective.isEmpty()
        ? new Health(true, reason, message + ". " + String.join(". ", ineffective))
        : this;
  }

  /**
   * The health of a LocalQueue.
   *
   * @param clusterQueue the health of its ClusterQueue; null if there is none
   */
  public static Health of(LocalQueue queue, @Nullable Health clusterQueue) {
    if (stopped(queue.spec().stopPolicy())) {
      return new Health(false, STOPPED, "LocalQueue is stopped");
    }
    if (clusterQueue == null) {
      return new Health(false, "ClusterQueueDoesNotExist", CANNOT_SUBMIT);
    }
    return clusterQueue.active()
        ? new Health(true, "Ready", "Can submit new workloads to localQueue")
        : new Health(
            false, "ClusterQueueIsInactive", CANNOT_SUBMIT + ". " + clusterQueue.message());
  }

  /**
   * Why checks keep a ClusterQueue from admitting: the name of each that does to the reason, a text
   * without a word if it just isn't active. A check that doesn't exist isn't among them.
   *
   * @param checks finds an AdmissionCheck by name
   */
  public static SequencedMap<String, String> obstacles(
      ClusterQueue queue, Function<String, Optional<AdmissionCheck>> checks) {
    SequencedMap<String, String> obstacles = new LinkedHashMap<>();
    Map<String, SortedSet<String>> order = CheckStrategy.order(queue.spec(), checks);
    for (AdmissionCheckStrategyRule rule : queue.spec().admissionChecks()) {
      checks
          .apply(rule.name())
          .flatMap(
              check ->
                  obstacle(check, rule).or(() -> CheckStrategy.orderProblem(check, order, checks)))
          .ifPresent(why -> obstacles.put(rule.name(), why));
    }
    return obstacles;
  }

  private static Optional<String> obstacle(AdmissionCheck check, AdmissionCheckStrategyRule rule) {
    return CheckStage.beforeQuota(check) && !rule.onFlavors().isEmpty()
        ? Optional.of(FLAVORED_BEFORE_QUOTA)
        : obstacle(check);
  }

  /**
   * Why a check keeps the ClusterQueues that name it from admitting: empty if it doesn't, a text
   * without a word if it just isn't active. One that observes may be inactive, since nothing waits
   * for it; but not for refusing to observe: without the check Workloads would run unbooked.
   */
  public static Optional<String> obstacle(AdmissionCheck check) {
    Optional<String> faulty =
        CheckMode.problem(check)
            .or(() -> CheckStage.problem(check))
            .or(() -> CheckOrder.problem(check))
            .or(() -> CheckGroup.problem(check));
    if (faulty.isPresent()) {
      return faulty;
    }
    Optional<Condition> stated = Conditions.find(check.status().conditions(), ACTIVE);
    if (stated.filter(Condition::isTrue).isPresent()) {
      return Optional.empty();
    }
    if (!CheckMode.observes(check)) {
      return Optional.of("");
    }
    return stated
        .filter(condition -> condition.reason().equals(CheckMode.UNSUPPORTED))
        .map(refused -> "it can't only observe, see its condition Active");
  }

  /** Whether it is inactive for a mistake in the configuration, not because that was asked for. */
  public boolean misconfigured() {
    return !active && !reason.equals(STOPPED) && !reason.equals(TERMINATING);
  }

  /** Whether an object is being deleted. */
  public static boolean terminating(KubernetesObject object) {
    V1ObjectMeta metadata = object.getMetadata();
    return metadata != null && metadata.getDeletionTimestamp() != null;
  }

  /** Whether a queue's policy stops it, with or without draining. */
  public static boolean stopped(StopPolicy policy) {
    return policy.equals(StopPolicy.HOLD) || policy.equals(StopPolicy.HOLD_AND_DRAIN);
  }

  Condition condition(KubernetesObject object, Instant now) {
    Condition condition =
        active
            ? Condition.isTrue(ACTIVE, reason, message, now)
            : Condition.isFalse(ACTIVE, reason, message, now);
    return condition.withObservedGeneration(
        Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new).getGeneration());
  }

  private static void note(
      List<String> reasons,
      List<String> messages,
      String reason,
      String message,
      Collection<String> names) {
    if (!names.isEmpty()) {
      reasons.add(reason);
      messages.add(message + ": " + String.join(",", names));
    }
  }
}
