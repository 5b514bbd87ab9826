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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.job.Keys;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Why a Job has no Workload. */
final class JobWithoutWorkload {
  private JobWithoutWorkload() {}

  static Explanation explain(Surroundings around, V1Job job, Instant now) {
    ObjectKey key = ObjectKey.of(job);
    if (Jobs.finished(job)) {
      return new Finding(
              key, Reason.FINISHED, "The Job has finished, and has no Workload (any more).")
          .seen(Look.seenJob(job))
          .by(Party.NOBODY, "To run it again, create a new Job.");
    }
    Optional<String> queue = JobWorkload.queueName(job);
    Evidence label =
        Evidence.of("Job", key, "metadata.labels[" + Keys.QUEUE_NAME + "]", queue.orElse("absent"));
    if (queue.isEmpty()) {
      return notManaged(job, key, label);
    }
    Optional<String> priority = JobWorkload.priorityClass(job);
    if (priority.isPresent() && !around.priorityClasses().contains(priority.get())) {
      return new Finding(
              key,
              Reason.PRIORITY_CLASS_MISSING,
              "It names the WorkloadPriorityClass "
                  + priority.get()
                  + ", which doesn't exist; until it does, the Job isn't queued.")
          .seen(
              Evidence.of(
                  "Job", key, "metadata.labels[" + Keys.PRIORITY_CLASS + "]", priority.get()))
          .seen(new Evidence("WorkloadPriorityClass/" + priority.get(), "metadata", "not found"))
          .by(
              Party.WORKLOAD_OWNER,
              "Correct the label, or have the WorkloadPriorityClass created.");
    }
    if (!Jobs.stopped(job)) {
      return new Finding(
              key,
              Reason.JOB_STOPPING,
              "The Job was started before it was queued; it is queued once its pods have ended.")
          .seen(Look.seenJob(job))
          .seen(Jobs.pods(around, pod -> true))
          .by(
              Party.CLUSTER_OPERATOR,
              "Pods end after their grace period. If one hangs, look at its node and its"
                  + " finalizers. Jobs created with spec.suspend: true don't get here.");
    }
    return notCreated(job, key, label, now);
  }

  private static Explanation notManaged(V1Job job, ObjectKey key, Evidence label) {
    boolean suspended = Jobs.suspended(job);
    return new Finding(
            key,
            Reason.JOB_NOT_MANAGED,
            "The Job names no LocalQueue, so it isn't queued"
                + (suspended
                    ? "; it is suspended, and nobody will start it."
                    : "; it runs as soon as its pods do, without quota."))
        .seen(label)
        .seen(Look.seenJob(job))
        .by(
            Party.WORKLOAD_OWNER,
            "Name a queue: kubectl label job "
                + key.name()
                + " -n "
                + key.namespace()
                + " "
                + Keys.QUEUE_NAME
                + "=QUEUE");
  }

  private static Explanation notCreated(V1Job job, ObjectKey key, Evidence label, Instant now) {
    Instant created = Look.createdAt(job.getMetadata());
    Duration age = Duration.between(created, now);
    if (age.compareTo(Look.PATIENCE) <= 0) {
      return new Finding(
              key, Reason.CORE_ABOUT_TO_ACT, "The Job is new: the core is creating its Workload.")
          .seen(label)
          .seen(Evidence.of("Job", key, "metadata.creationTimestamp", created.toString()))
          .wakes(now)
          .by(Party.NOBODY, "Ask again in a few seconds.");
    }
    return new Finding(
            key,
            Reason.WORKLOAD_NOT_CREATED,
            "The Job has waited for its Workload for "
                + Spans.words(age)
                + ": no core is running, or its configuration leaves the namespace "
                + key.namespace()
                + " out.")
        .seen(label)
        .seen(Evidence.of("Job", key, "metadata.creationTimestamp", created.toString()))
        .by(
            Party.CORE_OPERATOR,
            "See that a core is running, and that managedJobsNamespaceSelector of its configuration"
                + " selects the namespace.");
  }
}
