// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ManagedNamespaces;
import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.jobs.Unsupported;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why a Job has no Workload. */
final class JobWithoutWorkload {
  private JobWithoutWorkload() {}

  private static JobKinds kinds(@Nullable Configuration configuration) {
    return Objects.requireNonNullElseGet(configuration, Configuration::defaults)
        .integrations()
        .kinds();
  }

  static Explanation explain(ExplainInput around, ObservedJob job, Instant now) {
    if (job.finished()) {
      return finding(job, Reason.FINISHED, " has finished, and has no Workload (any more).")
          .seen(job.seen())
          .by(Actor.NONE, "To run it again, create a new " + job.kind() + ".");
    }
    String queue = job.queueName();
    Evidence label =
        job.seen("metadata.labels[" + Keys.QUEUE_NAME + "]", queue == null ? "absent" : queue);
    Configuration configuration = around.configuration();
    JobKinds kinds = kinds(configuration);
    Optional<String> framework =
        kinds
            .frameworkOf(job.type())
            .or(() -> ServingKind.of(job.type()).map(ServingKind::framework));
    if (framework.isEmpty()
        || (configuration != null
            && !configuration.integrations().frameworks().contains(framework.get()))) {
      return kindNotManaged(job, label, framework, configuration);
    }
    if (queue != null && ServingKind.of(job.type()).isPresent()) {
      return podsQueued(job, label);
    }
    if (!job.manageable() && ServingKind.of(job.type()).isEmpty()) {
      return notTaken(job, label);
    }
    if (queue == null) {
      return notManaged(job, label);
    }
    if (configuration != null && excluded(around, job, configuration.managedNamespaces())) {
      return namespaceNotManaged(job, label, configuration.managedNamespaces());
    }
    if (job.partOf() != null) {
      return finding(
              job,
              Reason.NOT_SUPPORTED,
              " names the queue %s, and runs without quota, since it has the pods of %s, which isn't queued."
                  .formatted(queue, job.partOf()))
          .seen(label)
          .by(
              Actor.WORKLOAD_OWNER,
              "Set the label " + Keys.QUEUE_NAME + " of " + job.partOf() + ".");
    }
    if (job.runsElsewhere().isPresent()) {
      return runsElsewhere(job, job.runsElsewhere().get());
    }
    if (job.prebuilt()) {
      return prebuiltMissing(job, label);
    }
    String priority = job.priorityClass();
    boolean known = around.mayRead(KueueTypes.WORKLOAD_PRIORITY_CLASS);
    if (priority != null && known && !around.priorityClasses().contains(priority)) {
      return priorityMissing(job, priority);
    }
    Optional<String> incomplete = incomplete(around, job);
    if (incomplete.isPresent()) {
      return finding(job, Reason.GROUP_INCOMPLETE, incomplete.get() + ".")
          .seen(label)
          .by(
              Actor.WORKLOAD_OWNER,
              "Create the pods that the group misses, each with the same label %s and annotation %s."
                  .formatted(Keys.POD_GROUP, Keys.POD_GROUP_TOTAL));
    }
    if (job.refusal() != null) {
      return finding(job, Reason.NOT_SUPPORTED, " can't be queued: " + job.refusal() + ".")
          .seen(label)
          .seen(job.seen())
          .by(Actor.WORKLOAD_OWNER, "Correct it, or delete it and create it anew.");
    }
    if (!job.stopped() && job.suspended()) {
      return finding(
              job,
              Reason.JOB_STOPPING,
              " was started before it was queued; it is queued once its pods have ended.")
          .seen(job.seen())
          .seen(PodProblems.seen(around, pod -> true))
          .by(
              Actor.CLUSTER_OPERATOR,
              "Pods end after their grace period. If one hangs, look at its node and its"
                  + " finalizers. A Job that is created with spec.suspend: true avoids this.");
    }
    if (job.unseenPods() != null) {
      return finding(job, Reason.WORKLOAD_NOT_CREATED, " has no Workload" + job.unseen() + ".")
          .seen(label)
          .seen(job.seen())
          .by(Actor.CLUSTER_OPERATOR, "Give this account that right, or ask with one that has it.");
    }
    if (job.unknownPods() != null) {
      return finding(
              job, Reason.WORKLOAD_NOT_CREATED, " can't be queued yet: " + job.unknownPods() + ".")
          .seen(label)
          .seen(job.seen())
          .by(Actor.CLUSTER_OPERATOR, QueuedCase.lookAtController(job.kind()));
    }
    return notCreated(
        job,
        label,
        priority == null || known
            ? ""
            : ", or the WorkloadPriorityClass " + priority + " (which can't be read) doesn't exist",
        now);
  }

  /**
   * The obstacle that keeps the group of a pod from being queued; empty if nothing does, or it has
   * no group.
   */
  private static Optional<String> incomplete(ExplainInput around, ObservedJob job) {
    boolean grouped =
        job.type().equals(CoreTypes.POD)
            && around.pods().stream()
                .anyMatch(
                    pod ->
                        new PlainPod()
                            .group(pod)
                            .filter(job.workload().name()::equals)
                            .isPresent());
    return grouped
        ? PodGroup.of(job.workload().name(), around.pods(), Optional.empty())
            .incomplete()
            .map(why -> " belongs to the group " + job.workload().name() + ", which " + why)
        : Optional.empty();
  }

  /** Explains a Job that names a Workload which another Job controls. */
  static Explanation taken(Workload workload, ObservedJob job) {
    V1OwnerReference owner = ExplainInputReader.controller(workload).orElseThrow();
    return finding(
            job,
            Reason.WORKLOAD_OF_ANOTHER,
            " names the Workload %s, which belongs to %s %s; as long as it does, this one stays suspended."
                .formatted(job.workload().name(), owner.getKind(), owner.getName()))
        .seen(job.seen("metadata[" + Keys.PREBUILT_WORKLOAD + "]", job.workload().name()))
        .seen(
            Evidence.of(
                "Workload",
                job.workload(),
                "metadata.ownerReferences",
                owner.getKind() + "/" + owner.getName() + ", controller"))
        .by(
            Actor.WORKLOAD_OWNER,
            "Name another Workload, or none; a Workload belongs to exactly one "
                + job.kind()
                + ".");
  }

  /** Explains a Job that the core doesn't take, or whose Workload is left from another core. */
  static Explanation runsElsewhere(ObservedJob job, Unsupported why) {
    return finding(job, Reason.NOT_SUPPORTED, " can't run: " + why.warning() + ".")
        .seen(job.seen())
        .by(Actor.WORKLOAD_OWNER, "Delete it, and create it anew without " + why.field() + ".");
  }

  private static Finding finding(ObservedJob job, Reason reason, String predicate) {
    return new Finding(job.key(), reason, "The " + job.kind() + predicate);
  }

  private static Explanation prebuiltMissing(ObservedJob job, Evidence label) {
    return finding(
            job,
            Reason.PREBUILT_WORKLOAD_MISSING,
            " names the Workload "
                + job.workload().name()
                + ", which doesn't exist; it stays suspended until that is created.")
        .seen(label)
        .seen(job.seen("metadata[" + Keys.PREBUILT_WORKLOAD + "]", job.workload().name()))
        .seen(Evidence.of("Workload", job.workload(), "metadata", "not found"))
        .by(
            Actor.WORKLOAD_OWNER,
            "Create the Workload, or correct its name. Without the label and annotation "
                + Keys.PREBUILT_WORKLOAD
                + " the core creates one.");
  }

  private static Explanation priorityMissing(ObservedJob job, String priority) {
    return new Finding(
            job.key(),
            Reason.PRIORITY_CLASS_MISSING,
            "It names the WorkloadPriorityClass %s, which doesn't exist; until it does, the %s isn't queued."
                .formatted(priority, job.kind()))
        .seen(job.seen("metadata.labels[" + Keys.PRIORITY_CLASS + "]", priority))
        .seen(new Evidence("WorkloadPriorityClass/" + priority, "metadata", "not found"))
        .by(Actor.WORKLOAD_OWNER, "Correct the label, or have the WorkloadPriorityClass created.");
  }

  private static Explanation notManaged(ObservedJob job, Evidence label) {
    return finding(
            job,
            Reason.JOB_NOT_MANAGED,
            " names no LocalQueue, so it isn't queued"
                + (job.suspended()
                    ? "; it is suspended, and the core won't start it."
                    : "; it runs without quota, as soon as its pods do."))
        .seen(label)
        .seen(job.seen())
        .by(
            Actor.WORKLOAD_OWNER,
            "Name a queue: kubectl label %s %s -n %s %s=QUEUE"
                .formatted(
                    job.kind().toLowerCase(Locale.ROOT),
                    job.key().name(),
                    job.key().namespace(),
                    Keys.QUEUE_NAME));
  }

  private static boolean excluded(ExplainInput around, ObservedJob job, ManagedNamespaces managed) {
    boolean known = !managed.needLabels() || around.mayRead(CoreTypes.NAMESPACE);
    return known && !managed.matches(job.key().namespace(), around.namespaceLabels());
  }

  private static Explanation namespaceNotManaged(
      ObservedJob job, Evidence label, ManagedNamespaces managed) {
    return finding(
            job,
            Reason.JOB_NOT_MANAGED,
            " names the LocalQueue %s, but %s."
                .formatted(
                    job.queueName(), managed.unmanaged(job.key().namespace(), job.suspended())))
        .seen(label)
        .seen(job.seen())
        .by(Actor.WORKLOAD_OWNER, ManagedNamespaces.REMEDY);
  }

  /**
   * Explains an object whose kind has no Workloads.
   *
   * @param framework by which the core would manage the kind; empty if it can't
   */
  private static Explanation kindNotManaged(
      ObservedJob job,
      Evidence label,
      Optional<String> framework,
      @Nullable Configuration configuration) {
    boolean external =
        configuration != null
            && configuration.integrations().external().stream()
                .anyMatch(kind -> kind.is(job.type().apiVersion(), job.kind()));
    String named =
        job.queueName() == null ? "" : " names the LocalQueue " + job.queueName() + ", but";
    Finding finding =
        finding(
                job,
                Reason.KIND_NOT_MANAGED,
                named
                    + (external
                        ? " has no Workload: its own controller has to make one"
                            + " (integrations.externalFrameworks)."
                        : " is not managed: this core makes no Workloads for the kind "
                            + job.kind()
                            + (job.suspended()
                                ? "; it is suspended, and the core won't start it."
                                : "; it runs without quota and waits for no queue.")))
            .seen(label);
    return framework.isPresent() && !external
        ? finding.by(
            Actor.CORE_OPERATOR,
            "Add " + framework.get() + " to integrations.frameworks of the core's configuration.")
        : finding.by(
            Actor.WORKLOAD_OWNER,
            external
                ? "Ask the operator of the controller of the kind " + job.kind() + "."
                : "Submit a kind that is managed ("
                    + String.join(", ", kinds(configuration).frameworks())
                    + "), or have a controller make its Workloads and name the kind in"
                    + " integrations.externalFrameworks.");
  }

  private static Explanation podsQueued(ObservedJob job, Evidence label) {
    return finding(
            job,
            Reason.PODS_QUEUED,
            ServingKind.of(job.type()).filter(ServingKind::grouped).isPresent()
                ? " has no Workload: its pods are queued as a group, once the first one is there"
                    + (ServingKind.LEADER_WORKER_SET.type().equals(job.type())
                        ? ", each leader with its workers."
                        : ".")
                : " has no Workload: each of its pods is queued by itself in "
                    + job.queueName()
                    + ".")
        .seen(label)
        .by(
            Actor.WORKLOAD_OWNER,
            "Ask about one that waits: kubectl get pods -n "
                + job.key().namespace()
                + " says SchedulingGated, and kueue4j explain pod/NAME why. One without a gate and a"
                + " Workload was made before the template named the queue.");
  }

  private static Explanation notTaken(ObservedJob job, Evidence label) {
    return finding(
            job,
            Reason.KIND_NOT_MANAGED,
            (job.queueName() == null
                    ? " names no LocalQueue"
                    : " names the LocalQueue "
                        + job.queueName()
                        + ", but is not managed: the core's webhook did not take it when it was"
                        + " created")
                + ". It runs without quota and waits for no queue.")
        .seen(label)
        .by(
            Actor.WORKLOAD_OWNER,
            "Delete it, and create it anew with the label kueue.x-k8s.io/queue-name while a core runs"
                + " whose integrations.frameworks names the kind.");
  }

  /**
   * Explains a Job whose Workload the core has not created.
   *
   * @param orElse a further cause, as the end of a list
   */
  private static Explanation notCreated(
      ObservedJob job, Evidence label, String orElse, Instant now) {
    Evidence created = job.seen("metadata.creationTimestamp", job.createdAt().toString());
    Duration age = Duration.between(job.createdAt(), now);
    if (age.compareTo(WorkloadView.PATIENCE) <= 0) {
      return finding(job, Reason.CORE_ABOUT_TO_ACT, " is new: the core is creating its Workload.")
          .seen(label)
          .seen(created)
          .wakes(now)
          .by(Actor.NONE, "Ask again in a few seconds.");
    }
    return finding(
            job,
            Reason.WORKLOAD_NOT_CREATED,
            " has waited for its Workload for "
                + DurationText.words(age)
                + ": no core is running, or its configuration excludes the namespace "
                + job.key().namespace()
                + " or the kind "
                + job.kind()
                + orElse
                + ".")
        .seen(label)
        .seen(created)
        .by(
            Actor.CORE_OPERATOR,
            "Check that a core is running, that managedJobsNamespaceSelector of its configuration"
                + " selects the namespace, and that integrations.frameworks lists the kind.");
  }
}
