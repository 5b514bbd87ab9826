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

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.job.Keys;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Why a Job has no Workload. */
final class JobWithoutWorkload {
  private JobWithoutWorkload() {}

  static Explanation explain(Surroundings around, JobSeen job, Instant now) {
    if (job.finished()) {
      return finding(job, Reason.FINISHED, " has finished, and has no Workload (any more).")
          .seen(job.seen())
          .by(Party.NOBODY, "To run it again, create a new " + job.kind() + ".");
    }
    String queue = job.queueName();
    Evidence label =
        job.seen("metadata.labels[" + Keys.QUEUE_NAME + "]", queue == null ? "absent" : queue);
    if (queue == null) {
      return notManaged(job, label);
    }
    if (job.prebuilt()) {
      return prebuiltMissing(job, label);
    }
    String priority = job.priorityClass();
    if (priority != null && !around.priorityClasses().contains(priority)) {
      return priorityMissing(job, priority);
    }
    if (!job.stopped()) {
      return finding(
              job,
              Reason.JOB_STOPPING,
              " was started before it was queued; it is queued once its pods have ended.")
          .seen(job.seen())
          .seen(Pods.seen(around, pod -> true))
          .by(
              Party.CLUSTER_OPERATOR,
              "Pods end after their grace period. If one hangs, look at its node and its"
                  + " finalizers. Those created with spec.suspend: true don't get here.");
    }
    return notCreated(job, label, now);
  }

  /** It names a Workload that another Job controls. */
  static Explanation taken(Workload workload, JobSeen job) {
    V1OwnerReference owner = SurroundingsReader.controller(workload).orElseThrow();
    return finding(
            job,
            Reason.WORKLOAD_OF_ANOTHER,
            " names the Workload "
                + job.workload().name()
                + ", which belongs to "
                + owner.getKind()
                + " "
                + owner.getName()
                + "; as long as it does, this one stays suspended.")
        .seen(job.seen("metadata[" + Keys.PREBUILT_WORKLOAD + "]", job.workload().name()))
        .seen(
            Evidence.of(
                "Workload",
                job.workload(),
                "metadata.ownerReferences",
                owner.getKind() + "/" + owner.getName() + ", controller"))
        .by(
            Party.WORKLOAD_OWNER,
            "Name another Workload, or none; one Workload stands for one " + job.kind() + ".");
  }

  private static Finding finding(JobSeen job, Reason reason, String predicate) {
    return new Finding(job.key(), reason, "The " + job.kind() + predicate);
  }

  private static Explanation prebuiltMissing(JobSeen job, Evidence label) {
    return finding(
            job,
            Reason.PREBUILT_WORKLOAD_MISSING,
            " names the Workload "
                + job.workload().name()
                + ", which doesn't exist; it stays suspended until somebody creates it.")
        .seen(label)
        .seen(job.seen("metadata[" + Keys.PREBUILT_WORKLOAD + "]", job.workload().name()))
        .seen(Evidence.of("Workload", job.workload(), "metadata", "not found"))
        .by(
            Party.WORKLOAD_OWNER,
            "Create the Workload, or correct its name. Without the label and annotation "
                + Keys.PREBUILT_WORKLOAD
                + " the core makes one.");
  }

  private static Explanation priorityMissing(JobSeen job, String priority) {
    return new Finding(
            job.key(),
            Reason.PRIORITY_CLASS_MISSING,
            "It names the WorkloadPriorityClass "
                + priority
                + ", which doesn't exist; until it does, the "
                + job.kind()
                + " isn't queued.")
        .seen(job.seen("metadata.labels[" + Keys.PRIORITY_CLASS + "]", priority))
        .seen(new Evidence("WorkloadPriorityClass/" + priority, "metadata", "not found"))
        .by(Party.WORKLOAD_OWNER, "Correct the label, or have the WorkloadPriorityClass created.");
  }

  private static Explanation notManaged(JobSeen job, Evidence label) {
    return finding(
            job,
            Reason.JOB_NOT_MANAGED,
            " names no LocalQueue, so it isn't queued"
                + (job.suspended()
                    ? "; it is suspended, and nobody will start it."
                    : "; it runs as soon as its pods do, without quota."))
        .seen(label)
        .seen(job.seen())
        .by(
            Party.WORKLOAD_OWNER,
            "Name a queue: kubectl label "
                + job.kind().toLowerCase(Locale.ROOT)
                + " "
                + job.key().name()
                + " -n "
                + job.key().namespace()
                + " "
                + Keys.QUEUE_NAME
                + "=QUEUE");
  }

  private static Explanation notCreated(JobSeen job, Evidence label, Instant now) {
    Evidence created = job.seen("metadata.creationTimestamp", job.createdAt().toString());
    Duration age = Duration.between(job.createdAt(), now);
    if (age.compareTo(Look.PATIENCE) <= 0) {
      return finding(job, Reason.CORE_ABOUT_TO_ACT, " is new: the core is creating its Workload.")
          .seen(label)
          .seen(created)
          .wakes(now)
          .by(Party.NOBODY, "Ask again in a few seconds.");
    }
    return finding(
            job,
            Reason.WORKLOAD_NOT_CREATED,
            " has waited for its Workload for "
                + Spans.words(age)
                + ": no core is running, or its configuration leaves the namespace "
                + job.key().namespace()
                + " or the kind "
                + job.kind()
                + " out.")
        .seen(label)
        .seen(created)
        .by(
            Party.CORE_OPERATOR,
            "See that a core is running, that managedJobsNamespaceSelector of its configuration"
                + " selects the namespace, and that integrations.frameworks lists the kind.");
  }
}
