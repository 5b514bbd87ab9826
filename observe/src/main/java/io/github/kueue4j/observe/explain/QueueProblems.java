// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.quota.CohortCycle;
import io.github.kueue4j.core.status.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains Workloads whose queues are missing, stopped or inactive. */
final class QueueProblems {
  private static final String LOCAL_QUEUE = "LocalQueue";
  private static final String CLUSTER_QUEUE = "ClusterQueue";
  static final String CREATE_CLUSTER_QUEUE =
      "Create the ClusterQueue, or another LocalQueue: spec.clusterQueue can't be changed.";

  private QueueProblems() {}

  /** The problem with the queues; empty if they are active. */
  static Optional<Explanation> obstacle(WorkloadView workloadView) {
    String name = workloadView.workload().spec().queueName();
    if (name == null || name.isEmpty()) {
      return Optional.of(
          workloadView
              .finding(Reason.NO_QUEUE_NAME, "It names no LocalQueue, so it isn't queued.")
              .seen(workloadView.seen("spec.queueName", "absent"))
              .by(
                  Actor.WORKLOAD_OWNER,
                  "Set spec.queueName, or the label kueue.x-k8s.io/queue-name of its Job."));
    }
    Optional<Explanation> local =
        local(workloadView, new ObjectKey(workloadView.key().namespace(), name));
    return local.isPresent() ? local : cluster(workloadView);
  }

  private static Optional<Explanation> local(WorkloadView workloadView, ObjectKey key) {
    LocalQueue queue = workloadView.around().localQueue();
    if (queue == null && !workloadView.around().mayRead(KueueTypes.LOCAL_QUEUE)) {
      return Optional.empty();
    }
    if (queue == null || Health.terminating(queue)) {
      return Optional.of(
          workloadView
              .finding(
                  Reason.LOCAL_QUEUE_MISSING,
                  queue == null
                      ? "There is no LocalQueue " + key.name() + " in " + key.namespace() + "."
                      : "Its LocalQueue " + key.name() + " is being deleted.")
              .seen(workloadView.seen("spec.queueName", key.name()))
              .seen(
                  Evidence.of(
                      LOCAL_QUEUE, key, "metadata", queue == null ? "not found" : "terminating"))
              .by(
                  Actor.WORKLOAD_OWNER,
                  "Name a LocalQueue that exists (kubectl get localqueues -n "
                      + key.namespace()
                      + "), or have this one created."));
    }
    if (!Health.stopped(queue.spec().stopPolicy())) {
      return Optional.empty();
    }
    return Optional.of(
        workloadView
            .finding(Reason.LOCAL_QUEUE_STOPPED, "Its LocalQueue " + key.name() + " is stopped.")
            .seen(
                Evidence.of(LOCAL_QUEUE, key, "spec.stopPolicy", queue.spec().stopPolicy().value()))
            .by(
                Actor.QUEUE_ADMINISTRATOR,
                "Start the queue: kubectl patch localqueue %s -n %s --type merge -p '{\"spec\":{\"stopPolicy\":\"None\"}}'"
                    .formatted(key.name(), key.namespace())));
  }

  private static Optional<Explanation> cluster(WorkloadView workloadView) {
    LocalQueue local = workloadView.around().localQueue();
    ClusterQueue queue = workloadView.around().clusterQueue();
    if (queue == null && !workloadView.around().mayRead(KueueTypes.CLUSTER_QUEUE)) {
      return local == null ? Optional.empty() : StatedCase.onLocalQueue(workloadView, local);
    }
    if (queue == null) {
      String name =
          local == null ? "" : Objects.requireNonNullElse(local.spec().clusterQueue(), "");
      return Optional.of(
          workloadView
              .finding(
                  Reason.CLUSTER_QUEUE_MISSING,
                  "Its LocalQueue points to the ClusterQueue " + name + ", which doesn't exist.")
              .seen(
                  Evidence.of(
                      LOCAL_QUEUE,
                      local == null ? workloadView.key() : ObjectKey.of(local),
                      "spec.clusterQueue",
                      name))
              .seen(Evidence.of(CLUSTER_QUEUE, name, "metadata", "not found"))
              .by(Actor.QUEUE_ADMINISTRATOR, CREATE_CLUSTER_QUEUE));
    }
    Condition stated = Conditions.find(queue.status().conditions(), Health.ACTIVE).orElse(null);
    Health health = health(workloadView, queue, stated);
    if (!health.active()) {
      return Optional.of(inactive(workloadView, queue, health));
    }
    // The core has a reason that this class doesn't know, and its condition isn't just outdated.
    boolean refuses =
        stated != null
            && stated.isFalse()
            && stated.lastTransitionTime().plus(WorkloadView.PATIENCE).isBefore(workloadView.now());
    return refuses ? Optional.of(inactive(workloadView, queue, health)) : Optional.empty();
  }

  /** By the objects, or, if they may not all be read, as the core states it. */
  private static Health health(
      WorkloadView workloadView, ClusterQueue queue, @Nullable Condition stated) {
    ExplainInput around = workloadView.around();
    boolean all =
        Stream.of(KueueTypes.RESOURCE_FLAVOR, KueueTypes.ADMISSION_CHECK, KueueTypes.COHORT)
            .allMatch(around::mayRead);
    Health ready = new Health(true, "Ready", "");
    if (all) {
      Health health =
          Health.of(
              queue,
              flavor -> Optional.ofNullable(around.flavors().get(flavor)),
              check -> Optional.ofNullable(workloadView.check(check)),
              workloadView::parentOf);
      boolean otherCore =
          stated != null && stated.isTrue() && health.reason().equals(Health.TOPOLOGY_NOT_FOUND);
      return otherCore ? ready : health;
    }
    if (stated == null || stated.isTrue()) {
      return ready;
    }
    boolean ofItsOwn = List.of("Stopped", "Terminating").contains(stated.reason());
    return new Health(false, ofItsOwn ? stated.reason() : "Stated", stated.message());
  }

  private static Explanation inactive(
      WorkloadView workloadView, ClusterQueue queue, Health health) {
    String name = ObjectKey.of(queue).name();
    List<Evidence> evidence = new ArrayList<>();
    Evidence stated =
        Evidence.of(
            CLUSTER_QUEUE,
            name,
            "status.conditions[Active]",
            Conditions.find(queue.status().conditions(), Health.ACTIVE)
                .map(Evidence::words)
                .orElse("absent"));
    return switch (health.reason()) {
      case "Terminating" ->
          workloadView
              .finding(
                  Reason.CLUSTER_QUEUE_TERMINATING,
                  "Its ClusterQueue " + name + " is being deleted.")
              .seen(stated)
              .by(
                  Actor.QUEUE_ADMINISTRATOR,
                  "It disappears once no workload holds its quota any more; use another queue.");
      case "Stopped" ->
          workloadView
              .finding(Reason.CLUSTER_QUEUE_STOPPED, "Its ClusterQueue " + name + " is stopped.")
              .seen(
                  Evidence.of(
                      CLUSTER_QUEUE, name, "spec.stopPolicy", queue.spec().stopPolicy().value()))
              .seen(stated)
              .by(
                  Actor.QUEUE_ADMINISTRATOR,
                  "Start the queue: kubectl patch clusterqueue "
                      + name
                      + " --type merge -p '{\"spec\":{\"stopPolicy\":\"None\"}}'");
      case "FlavorNotFound" -> {
        missingFlavors(workloadView, queue)
            .forEach(
                flavor ->
                    evidence.add(
                        new Evidence("ResourceFlavor/" + flavor, "metadata", "not found")));
        yield workloadView
            .finding(
                Reason.FLAVOR_MISSING,
                "Its ClusterQueue " + name + " names a ResourceFlavor that doesn't exist.")
            .seen(evidence)
            .seen(stated)
            .by(
                Actor.QUEUE_ADMINISTRATOR,
                "Create the ResourceFlavor, or remove it from the ClusterQueue.");
      }
      case Health.TOPOLOGY_NOT_FOUND -> {
        existing(workloadView, queue)
            .filter(flavor -> flavor.spec().topologyName() != null)
            .forEach(
                flavor ->
                    evidence.add(
                        Evidence.of(
                            "ResourceFlavor",
                            ObjectKey.of(flavor).name(),
                            "spec.topologyName",
                            String.valueOf(flavor.spec().topologyName()))));
        yield workloadView
            .finding(
                Reason.NOT_SUPPORTED,
                "Its ClusterQueue "
                    + name
                    + " offers a ResourceFlavor with a Topology, which is not supported here.")
            .seen(evidence)
            .seen(stated)
            .by(
                Actor.QUEUE_ADMINISTRATOR,
                "Replace it by a ResourceFlavor without spec.topologyName, which can't be"
                    + " removed from one.");
      }
      case "AdmissionCheckNotFound" -> {
        names(queue)
            .filter(check -> workloadView.check(check) == null)
            .forEach(
                check ->
                    evidence.add(new Evidence("AdmissionCheck/" + check, "metadata", "not found")));
        yield workloadView
            .finding(
                Reason.CHECK_MISSING,
                "Its ClusterQueue " + name + " names an AdmissionCheck that doesn't exist.")
            .seen(evidence)
            .seen(stated)
            .by(
                Actor.QUEUE_ADMINISTRATOR,
                "Create the AdmissionCheck, or remove it from the ClusterQueue.");
      }
      case Health.COHORT_CYCLE -> {
        List<String> cycle = CohortCycle.above(queue.spec().cohortName(), workloadView::parentOf);
        for (String cohort : cycle) {
          evidence.add(
              Evidence.of(
                  "Cohort",
                  cohort,
                  "spec.parentName",
                  String.valueOf(workloadView.parentOf(cohort))));
        }
        yield workloadView
            .finding(
                Reason.COHORT_CYCLE,
                "Its ClusterQueue " + name + " belongs to a Cohort that is its own ancestor.")
            .seen(evidence)
            .seen(stated)
            .by(
                Actor.QUEUE_ADMINISTRATOR,
                "Give one of the Cohorts another parent, or none: kubectl edit cohort "
                    + cycle.getFirst()
                    + ".");
      }
      case "AdmissionCheckInactive" -> checksInactive(workloadView, queue, stated);
      case "TooManyAdmissionChecks" ->
          workloadView
              .finding(Reason.TOO_MANY_CHECKS, health.message())
              .seen(
                  Evidence.of(
                      CLUSTER_QUEUE,
                      name,
                      "spec.admissionChecksStrategy.admissionChecks",
                      String.join(", ", names(queue).toList())))
              .seen(stated)
              .by(
                  Actor.QUEUE_ADMINISTRATOR,
                  "Require fewer checks in one ClusterQueue, or combine some of them in one"
                      + " controller.");
      default ->
          workloadView
              .finding(
                  Reason.CLUSTER_QUEUE_INACTIVE,
                  "Its ClusterQueue " + name + " can't admit: " + reason(queue, health))
              .seen(stated)
              .by(
                  Actor.QUEUE_ADMINISTRATOR,
                  "Resolve the problem that the condition Active names.");
    };
  }

  /** Some aren't active; with others, active or not, the queue's own rules go wrong. */
  private static Explanation checksInactive(
      WorkloadView workloadView, ClusterQueue queue, Evidence stated) {
    List<Evidence> evidence = new ArrayList<>();
    SortedSet<String> controllers = new TreeSet<>();
    List<String> unusable = new ArrayList<>();
    Health.obstacles(queue, name -> Optional.ofNullable(workloadView.check(name)))
        .forEach(
            (name, why) -> {
              AdmissionCheck check = Objects.requireNonNull(workloadView.check(name));
              Optional<String> ofItsOwn = Health.obstacle(check);
              if (ofItsOwn.isPresent()) {
                controllers.add(check.spec().controllerName());
                evidence.add(active(check));
              }
              if (!why.equals(ofItsOwn.orElse(null))) {
                unusable.add(name + ": " + why);
              }
            });
    String start = "Its ClusterQueue " + ObjectKey.of(queue).name();
    String cannotUse = " can't use the admission check " + String.join("; ", unusable) + ".";
    String change =
        "Change the rule in spec.admissionChecksStrategy of the ClusterQueue, or the annotation of"
            + " the AdmissionCheck.";
    if (controllers.isEmpty() && !unusable.isEmpty()) {
      return workloadView
          .finding(Reason.CHECK_NOT_ACTIVE, start + cannotUse)
          .seen(stated)
          .by(Actor.QUEUE_ADMINISTRATOR, change);
    }
    return workloadView
        .finding(
            Reason.CHECK_NOT_ACTIVE,
            start
                + " requires an admission check that isn't active."
                + (unusable.isEmpty() ? "" : " It also" + cannotUse))
        .seen(evidence)
        .seen(stated)
        .by(
            Actor.CHECK_OPERATOR,
            "Check that the controller runs, that its log tells of no missing right, and what it"
                + " reports about the check's parameters: "
                + String.join(", ", controllers)
                + "."
                + (unusable.isEmpty() ? "" : " " + change));
  }

  private static Evidence active(AdmissionCheck check) {
    return Evidence.of(
        "AdmissionCheck",
        ObjectKey.of(check).name(),
        "status.conditions[Active]",
        Conditions.find(check.status().conditions(), Health.ACTIVE)
                .map(Evidence::words)
                .orElse("absent: no controller has set it, or its account may not write it")
            + ", controller "
            + check.spec().controllerName());
  }

  private static String reason(ClusterQueue queue, Health health) {
    return health.active()
        ? Conditions.find(queue.status().conditions(), Health.ACTIVE)
            .map(Condition::message)
            .orElse(health.message())
        : health.message();
  }

  private static Stream<String> missingFlavors(WorkloadView workloadView, ClusterQueue queue) {
    return flavors(queue).filter(flavor -> !workloadView.around().flavors().containsKey(flavor));
  }

  private static Stream<ResourceFlavor> existing(WorkloadView workloadView, ClusterQueue queue) {
    return flavors(queue).map(workloadView.around().flavors()::get).filter(Objects::nonNull);
  }

  private static Stream<String> flavors(ClusterQueue queue) {
    return queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .distinct();
  }

  private static Stream<String> names(ClusterQueue queue) {
    return queue.spec().admissionChecks().stream().map(AdmissionCheckStrategyRule::name);
  }
}
