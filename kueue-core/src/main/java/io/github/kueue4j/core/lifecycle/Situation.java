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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Workload;
import java.util.Objects;
import java.util.SortedMap;
import org.apiguardian.api.API;

/**
 * Everything a decision about one Workload depends on, besides the time.
 *
 * @param workload as read; a plan's patch is guarded by its resourceVersion
 * @param localQueue the queue named by {@code spec.queueName}
 * @param clusterQueue while quota is reserved the one of the admission, otherwise the one the
 *     LocalQueue points to
 * @param checks the required checks
 * @param assignment whether the assignment is still valid
 * @param owner what is known about the owner
 * @param victimsHoldQuota whether victims of a deferred preemption (KEP-993) still hold quota that
 *     this Workload was given: it is not admitted before they let go
 * @param settings the configuration
 * @param readiness what is known and asked of its pods
 * @param sightings what was seen of this Workload before; {@link Sightings#none} after a restart
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Situation(
    Workload workload,
    QueueFacts localQueue,
    QueueFacts clusterQueue,
    RequiredChecks checks,
    AssignmentValidity assignment,
    Owner owner,
    boolean victimsHoldQuota,
    LifecycleSettings settings,
    PodsReadiness readiness,
    Sightings sightings) {

  public Situation {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(localQueue, "localQueue");
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(checks, "checks");
    Objects.requireNonNull(assignment, "assignment");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(readiness, "readiness");
    Objects.requireNonNull(sightings, "sightings");
  }

  /** A Workload whose owner wasn't looked at, seen for the first time, with default settings. */
  public static Situation of(
      Workload workload, QueueFacts localQueue, QueueFacts clusterQueue, RequiredChecks checks) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        AssignmentValidity.valid(),
        Owner.UNKNOWN,
        false,
        LifecycleSettings.defaults(),
        PodsReadiness.NOT_ASKED,
        Sightings.none());
  }

  /** This situation with another state of the Workload. */
  public Situation withWorkload(Workload workload) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with other queue facts. */
  public Situation withQueues(QueueFacts localQueue, QueueFacts clusterQueue) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with other required checks. */
  public Situation withChecks(RequiredChecks checks) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with the outcome of verifying the assignment. */
  public Situation withAssignment(AssignmentValidity assignment) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with what is known about the owner. */
  public Situation withOwner(Owner owner) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with victims that still hold quota, or without. */
  public Situation withVictimsHoldQuota(boolean victimsHoldQuota) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation under other settings. */
  public Situation withSettings(LifecycleSettings settings) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with what is known and asked of its pods. */
  public Situation withReadiness(PodsReadiness readiness) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** This situation with what was seen before. */
  public Situation withSightings(Sightings sightings) {
    return new Situation(
        workload,
        localQueue,
        clusterQueue,
        checks,
        assignment,
        owner,
        victimsHoldQuota,
        settings,
        readiness,
        sightings);
  }

  /** The checks that count now: by assignment while reserved, otherwise by the queue. */
  public SortedMap<String, CheckPolicy> required() {
    return checks.whenReserved(new Reading(workload).reserved());
  }

  /** The phase of the Workload. */
  public Phase phase() {
    return Phase.of(workload, required().keySet());
  }
}
