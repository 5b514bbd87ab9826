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

import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.CohortCycle;
import io.github.kueue4j.core.status.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Whether the queues of a Workload lead anywhere. */
final class Queues {
  private static final String LOCAL_QUEUE = "LocalQueue";
  private static final String CLUSTER_QUEUE = "ClusterQueue";

  private Queues() {}

  /** What is wrong with the queues; empty if they work. */
  static Optional<Explanation> obstacle(Look look) {
    String name = look.workload().spec().queueName();
    if (name == null || name.isEmpty()) {
      return Optional.of(
          look.finding(Reason.NO_QUEUE_NAME, "It names no LocalQueue, so nobody queues it.")
              .seen(look.seen("spec.queueName", "absent"))
              .by(
                  Party.WORKLOAD_OWNER,
                  "Set spec.queueName, or the label kueue.x-k8s.io/queue-name of its Job."));
    }
    Optional<Explanation> local = local(look, new ObjectKey(look.key().namespace(), name));
    return local.isPresent() ? local : cluster(look);
  }

  private static Optional<Explanation> local(Look look, ObjectKey key) {
    LocalQueue queue = look.around().localQueue();
    if (queue == null || Health.terminating(queue)) {
      return Optional.of(
          look.finding(
                  Reason.LOCAL_QUEUE_MISSING,
                  queue == null
                      ? "There is no LocalQueue " + key.name() + " in " + key.namespace() + "."
                      : "Its LocalQueue " + key.name() + " is being deleted.")
              .seen(look.seen("spec.queueName", key.name()))
              .seen(
                  Evidence.of(
                      LOCAL_QUEUE, key, "metadata", queue == null ? "not found" : "terminating"))
              .by(
                  Party.WORKLOAD_OWNER,
                  "Name a LocalQueue that exists (kubectl get localqueues -n "
                      + key.namespace()
                      + "), or have this one created."));
    }
    if (!Health.stopped(queue.spec().stopPolicy())) {
      return Optional.empty();
    }
    return Optional.of(
        look.finding(Reason.LOCAL_QUEUE_STOPPED, "Its LocalQueue " + key.name() + " is stopped.")
            .seen(
                Evidence.of(LOCAL_QUEUE, key, "spec.stopPolicy", queue.spec().stopPolicy().value()))
            .by(
                Party.QUEUE_ADMINISTRATOR,
                "Start the queue: kubectl patch localqueue "
                    + key.name()
                    + " -n "
                    + key.namespace()
                    + " --type merge -p '{\"spec\":{\"stopPolicy\":\"None\"}}'"));
  }

  private static Optional<Explanation> cluster(Look look) {
    LocalQueue local = look.around().localQueue();
    ClusterQueue queue = look.around().clusterQueue();
    if (queue == null) {
      String name =
          local == null ? "" : Objects.requireNonNullElse(local.spec().clusterQueue(), "");
      return Optional.of(
          look.finding(
                  Reason.CLUSTER_QUEUE_MISSING,
                  "Its LocalQueue leads to the ClusterQueue " + name + ", which doesn't exist.")
              .seen(
                  Evidence.of(
                      LOCAL_QUEUE,
                      local == null ? look.key() : ObjectKey.of(local),
                      "spec.clusterQueue",
                      name))
              .seen(Evidence.of(CLUSTER_QUEUE, name, "metadata", "not found"))
              .by(
                  Party.QUEUE_ADMINISTRATOR,
                  "Create the ClusterQueue, or another LocalQueue: spec.clusterQueue can't be"
                      + " changed."));
    }
    Health health =
        Health.of(
            queue,
            look.around().flavors()::containsKey,
            check -> Optional.ofNullable(look.check(check)),
            look::parentOf);
    Condition stated = Conditions.find(queue.status().conditions(), Health.ACTIVE).orElse(null);
    if (!health.active()) {
      return Optional.of(inactive(look, queue, health));
    }
    // The core knows a reason that isn't known here, and has not just begun to change its mind.
    boolean refuses =
        stated != null
            && stated.isFalse()
            && stated.lastTransitionTime().plus(Look.PATIENCE).isBefore(look.now());
    return refuses ? Optional.of(inactive(look, queue, health)) : Optional.empty();
  }

  private static Explanation inactive(Look look, ClusterQueue queue, Health health) {
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
          look.finding(
                  Reason.CLUSTER_QUEUE_TERMINATING,
                  "Its ClusterQueue " + name + " is being deleted.")
              .seen(stated)
              .by(
                  Party.QUEUE_ADMINISTRATOR,
                  "It goes once nothing holds its quota any more; queue the Job elsewhere.");
      case "Stopped" ->
          look.finding(Reason.CLUSTER_QUEUE_STOPPED, "Its ClusterQueue " + name + " is stopped.")
              .seen(
                  Evidence.of(
                      CLUSTER_QUEUE, name, "spec.stopPolicy", queue.spec().stopPolicy().value()))
              .seen(stated)
              .by(
                  Party.QUEUE_ADMINISTRATOR,
                  "Start the queue: kubectl patch clusterqueue "
                      + name
                      + " --type merge -p '{\"spec\":{\"stopPolicy\":\"None\"}}'");
      case "FlavorNotFound" -> {
        missingFlavors(look, queue)
            .forEach(
                flavor ->
                    evidence.add(
                        new Evidence("ResourceFlavor/" + flavor, "metadata", "not found")));
        yield look.finding(
                Reason.FLAVOR_MISSING,
                "Its ClusterQueue " + name + " names a ResourceFlavor that doesn't exist.")
            .seen(evidence)
            .seen(stated)
            .by(
                Party.QUEUE_ADMINISTRATOR,
                "Create the ResourceFlavor, or remove it from the ClusterQueue.");
      }
      case "AdmissionCheckNotFound" -> {
        names(queue)
            .filter(check -> look.check(check) == null)
            .forEach(
                check ->
                    evidence.add(new Evidence("AdmissionCheck/" + check, "metadata", "not found")));
        yield look.finding(
                Reason.CHECK_MISSING,
                "Its ClusterQueue " + name + " names an AdmissionCheck that doesn't exist.")
            .seen(evidence)
            .seen(stated)
            .by(
                Party.QUEUE_ADMINISTRATOR,
                "Create the AdmissionCheck, or remove it from the ClusterQueue.");
      }
      case Health.COHORT_CYCLE -> {
        List<String> cycle = CohortCycle.above(queue.spec().cohortName(), look::parentOf);
        for (String cohort : cycle) {
          evidence.add(
              Evidence.of(
                  "Cohort", cohort, "spec.parentName", String.valueOf(look.parentOf(cohort))));
        }
        yield look.finding(
                Reason.COHORT_CYCLE,
                "Its ClusterQueue " + name + " belongs to a Cohort that is its own ancestor.")
            .seen(evidence)
            .seen(stated)
            .by(
                Party.QUEUE_ADMINISTRATOR,
                "Give one of the Cohorts another parent, or none: kubectl edit cohort "
                    + cycle.getFirst()
                    + ".");
      }
      case "AdmissionCheckInactive" -> checksInactive(look, queue, stated);
      case "TooManyAdmissionChecks" ->
          look.finding(Reason.TOO_MANY_CHECKS, health.message())
              .seen(
                  Evidence.of(
                      CLUSTER_QUEUE,
                      name,
                      "spec.admissionChecksStrategy.admissionChecks",
                      String.join(", ", names(queue).toList())))
              .seen(stated)
              .by(
                  Party.QUEUE_ADMINISTRATOR,
                  "Require fewer checks of one ClusterQueue, or join some in one controller.");
      default ->
          look.finding(
                  Reason.CLUSTER_QUEUE_INACTIVE,
                  "Its ClusterQueue " + name + " can't admit: " + reason(queue, health))
              .seen(stated)
              .by(Party.QUEUE_ADMINISTRATOR, "Put in order what the condition Active names.");
    };
  }

  private static Explanation checksInactive(Look look, ClusterQueue queue, Evidence stated) {
    List<Evidence> evidence = new ArrayList<>();
    List<String> controllers = new ArrayList<>();
    names(queue)
        .map(look::check)
        .filter(Objects::nonNull)
        .filter(check -> !Conditions.isTrue(check.status().conditions(), Health.ACTIVE))
        .forEach(
            check -> {
              controllers.add(check.spec().controllerName());
              evidence.add(
                  Evidence.of(
                      "AdmissionCheck",
                      ObjectKey.of(check).name(),
                      "status.conditions[Active]",
                      Conditions.find(check.status().conditions(), Health.ACTIVE)
                              .map(Evidence::words)
                              .orElse("absent: no controller has claimed it")
                          + ", controller "
                          + check.spec().controllerName()));
            });
    return look.finding(
            Reason.CHECK_NOT_ACTIVE,
            "Its ClusterQueue "
                + ObjectKey.of(queue).name()
                + " requires an admission check that isn't active.")
        .seen(evidence)
        .seen(stated)
        .by(
            Party.CHECK_OPERATOR,
            "See that the controller runs and what it says about the check's parameters: "
                + String.join(", ", new TreeSet<>(controllers))
                + ".");
  }

  private static String reason(ClusterQueue queue, Health health) {
    return health.active()
        ? Conditions.find(queue.status().conditions(), Health.ACTIVE)
            .map(Condition::message)
            .orElse(health.message())
        : health.message();
  }

  private static Stream<String> missingFlavors(Look look, ClusterQueue queue) {
    return queue.spec().resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .distinct()
        .filter(flavor -> !look.around().flavors().containsKey(flavor));
  }

  private static Stream<String> names(ClusterQueue queue) {
    return queue.spec().admissionChecks().stream().map(AdmissionCheckStrategyRule::name);
  }
}
