// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Everything that a decision about one Workload depends on, besides the time.
 *
 * @param workload as read; a plan's patch is guarded by its resourceVersion
 * @param queues its queues, and whether they still have what it was assigned
 * @param checks the required checks
 * @param owner what is known about the owner
 * @param victimsHoldQuota whether victims of a deferred preemption (KEP-993) still hold quota that
 *     is reserved for this Workload: it is not admitted before they release it
 * @param settings the configuration
 * @param readiness whether its pods are ready, and the policy for them
 * @param observedEntries of this Workload before; {@link ObservedEntries#none} after a restart
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Situation(
    Workload workload,
    Queues queues,
    RequiredChecks checks,
    Owner owner,
    boolean victimsHoldQuota,
    LifecycleSettings settings,
    PodsReadiness readiness,
    ObservedEntries observedEntries) {

  public Situation {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(queues, "queues");
    Objects.requireNonNull(checks, "checks");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(readiness, "readiness");
    Objects.requireNonNull(observedEntries, "observedEntries");
  }

  /**
   * The queues of a Workload.
   *
   * @param local the queue named by {@code spec.queueName}
   * @param cluster while quota is reserved the one of the admission, otherwise the one the
   *     LocalQueue points to
   * @param assignment whether the assignment is still valid
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Queues(QueueSettings local, QueueSettings cluster, AssignmentValidity assignment) {
    public Queues {
      Objects.requireNonNull(local, "local");
      Objects.requireNonNull(cluster, "cluster");
      Objects.requireNonNull(assignment, "assignment");
    }
  }

  /**
   * A Workload in queues that run, for plans that its queues don't change: the limits of a run, a
   * finish, the outcome of a scheduling cycle.
   */
  public static Situation of(Workload workload, RequiredChecks checks) {
    return of(workload, QueueSettings.running(""), QueueSettings.running(""), checks);
  }

  /** A Workload with an unknown owner, seen for the first time, with default settings. */
  public static Situation of(
      Workload workload,
      QueueSettings localQueue,
      QueueSettings clusterQueue,
      RequiredChecks checks) {
    return new Situation(
        workload,
        new Queues(localQueue, clusterQueue, AssignmentValidity.valid()),
        checks,
        Owner.UNKNOWN,
        false,
        LifecycleSettings.defaults(),
        PodsReadiness.NOT_ASKED,
        ObservedEntries.none());
  }

  /** This situation with another state of the Workload. */
  public Situation withWorkload(Workload workload) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** This situation with other queue facts. */
  public Situation withQueues(QueueSettings localQueue, QueueSettings clusterQueue) {
    return with(new Queues(localQueue, clusterQueue, assignment()));
  }

  /** This situation with other required checks. */
  public Situation withChecks(RequiredChecks checks) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** This situation with the outcome of verifying the assignment. */
  public Situation withAssignment(AssignmentValidity assignment) {
    return with(new Queues(localQueue(), clusterQueue(), assignment));
  }

  /** This situation with what is known about the owner. */
  public Situation withOwner(Owner owner) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** This situation with another value for whether victims still hold quota. */
  public Situation withVictimsHoldQuota(boolean victimsHoldQuota) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** This situation under other settings. */
  public Situation withSettings(LifecycleSettings settings) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** This situation with another readiness of the pods. */
  public Situation withReadiness(PodsReadiness readiness) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** This situation with other observed entries. */
  public Situation withObservedEntries(ObservedEntries observedEntries) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  private Situation with(Queues queues) {
    return new Situation(
        workload, queues, checks, owner, victimsHoldQuota, settings, readiness, observedEntries);
  }

  /** The LocalQueue. */
  public QueueSettings localQueue() {
    return queues.local();
  }

  /** The ClusterQueue. */
  public QueueSettings clusterQueue() {
    return queues.cluster();
  }

  /** The validity of the assignment. */
  AssignmentValidity assignment() {
    return queues.assignment();
  }

  /** The checks that count now: by assignment while reserved, otherwise by the queue. */
  public SortedMap<String, CheckPolicy> required() {
    return checks.whenReserved(workload.conditions().reserved());
  }

  /**
   * The delays of a Workload in backoff, by check; empty in every other phase. A Retry that wasn't
   * seen before counts from its lastTransitionTime.
   */
  public SortedMap<String, RetryDelay> delays() {
    SortedMap<String, RetryDelay> delays = new TreeMap<>();
    if (phase() == Phase.BACKOFF) {
      Deadline.of(this, observedEntries)
          .delays()
          .forEach(
              (check, delay) -> delays.put(check, new RetryDelay(delay.until(), delay.duration())));
    }
    return delays;
  }

  /**
   * The answers that a Workload will be admitted with: each Ready of a required check that is
   * enforced. Of alternatives the first by name, once nothing else is waited for: until then
   * another may come first.
   */
  public List<AdmissionCheckState> agreed() {
    List<AdmissionCheckState> entries = workload.status().admissionChecks();
    CheckGroups groups = CheckGroups.of(this);
    boolean decided = !victimsHoldQuota && groups.agree(checks.observed(), entries);
    return entries.stream()
        .filter(entry -> entry.is(CheckState.READY) && required().containsKey(entry.name()))
        .filter(entry -> !checks.observed().contains(entry.name()))
        .filter(entry -> decided || groups.members(entry.name()).size() == 1)
        .filter(entry -> groups.isChosen(entry, entries))
        .toList();
  }

  /** The phase of the Workload. */
  public Phase phase() {
    return Phase.of(workload, required().keySet());
  }
}
