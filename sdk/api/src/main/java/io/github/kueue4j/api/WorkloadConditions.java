// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The meanings of a Workload's conditions, and the names of their types. Every part of kueue4j that
 * asks whether a Workload is reserved, evicted or held asks here, so that all of them agree.
 *
 * {@snippet :
 * WorkloadConditions conditions = workload.conditions();
 * if (conditions.holdsQuota() && !conditions.evicted()) {
 *   return conditions.admitted() ? "runs" : "waits for its checks";
 * }
 * return conditions.heldFor().map(reason -> "held for " + reason).orElse("waits for quota");
 * }
 *
 * <p>Each fact is about one condition unless it says otherwise. Evicted stays True after the quota
 * was given back, and Admitted may have been left behind by another writer, so neither implies a
 * reservation. A condition that is absent or Unknown is neither True nor False.
 *
 * @param all keyed by type, as in {@code status.conditions}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorkloadConditions(List<Condition> all) {

  /** Quota is reserved; the admission checks run. */
  public static final String QUOTA_RESERVED = "QuotaReserved";

  /** Quota is reserved and all checks have passed: the job may run. */
  public static final String ADMITTED = "Admitted";

  /** The workload was evicted; stays True until the next reservation. */
  public static final String EVICTED = "Evicted";

  /** The workload was evicted in favour of another one. */
  public static final String PREEMPTED = "Preempted";

  /** False keeps the workload out of the queue. */
  public static final String REQUEUED = "Requeued";

  /** All pods are ready or have succeeded. */
  public static final String PODS_READY = "PodsReady";

  /** A limit is about to deactivate the workload. */
  public static final String DEACTIVATION_TARGET = "DeactivationTarget";

  /** The job has finished; the workload doesn't change any more. */
  public static final String FINISHED = "Finished";

  /**
   * Checks have no entry yet because they come after others (an extension; see {@link CheckOrder}).
   */
  public static final String WITHHELD_CHECKS = "kueue4j.io/WithheldChecks";

  /** The job runs on although it was suspended (an extension); the message has the remedy. */
  public static final String SUSPENSION_UNHEEDED = "kueue4j.io/SuspensionUnheeded";

  /** A reason of QuotaReserved=False: queues or the workload have to be changed first. */
  public static final String MISCONFIGURED = "Misconfigured";

  public WorkloadConditions {
    all = Lenient.list(all);
  }

  /** Whether Finished=True. */
  public boolean finished() {
    return isTrue(FINISHED);
  }

  /** Whether QuotaReserved=True. */
  public boolean reserved() {
    return isTrue(QUOTA_RESERVED);
  }

  /** Whether the reserved quota counts as used: QuotaReserved=True and not Finished. */
  public boolean holdsQuota() {
    return reserved() && !finished();
  }

  /** Whether Admitted=True. */
  public boolean admitted() {
    return isTrue(ADMITTED);
  }

  /** Whether Evicted=True: on the way out while quota is reserved, history without. */
  public boolean evicted() {
    return isTrue(EVICTED);
  }

  /** Whether Preempted=True. */
  public boolean preempted() {
    return isTrue(PREEMPTED);
  }

  /** Why the workload is kept out of its queue: the reason of Requeued=False. */
  public Optional<String> heldFor() {
    return findFalse(REQUEUED).map(Condition::reason);
  }

  /** Whether it is held until a delay is over: that of a check, or of pods that weren't ready. */
  public boolean heldForDelay() {
    return heldForChecks() || heldForPodsReady();
  }

  /** Whether it is held because a check asked for a retry. */
  public boolean heldForChecks() {
    return isHeldFor(EvictionReasons.ADMISSION_CHECK);
  }

  /** Whether it is held because its pods didn't get ready in time. */
  public boolean heldForPodsReady() {
    return isHeldFor(EvictionReasons.PODS_READY_TIMEOUT);
  }

  /** Whether it is held because its ClusterQueue or LocalQueue is stopped. */
  public boolean heldForStoppedQueue() {
    return isHeldFor(EvictionReasons.CLUSTER_QUEUE_STOPPED)
        || isHeldFor(EvictionReasons.LOCAL_QUEUE_STOPPED);
  }

  /** Whether it is held because it was deactivated, by a user or by Kueue. */
  public boolean heldForDeactivation() {
    return heldFor().filter(EvictionReasons::isDeactivation).isPresent();
  }

  private boolean isHeldFor(String reason) {
    return Conditions.is(all, REQUEUED, Condition.FALSE, reason);
  }

  /** Why no quota is reserved: QuotaReserved=False. */
  public Optional<Condition> notReserved() {
    return findFalse(QUOTA_RESERVED);
  }

  /** The limit that is about to deactivate the workload: DeactivationTarget=True. */
  public Optional<Condition> deactivationTarget() {
    return findTrue(DEACTIVATION_TARGET);
  }

  /** When the condition of this type last changed its status, whatever that is now. */
  public Optional<Instant> changedAt(String type) {
    return find(type).map(Condition::lastTransitionTime);
  }

  /** Since when the condition of this type is True. */
  public Optional<Instant> trueSince(String type) {
    return findTrue(type).map(Condition::lastTransitionTime);
  }

  /** The condition of this type. */
  public Optional<Condition> find(String type) {
    return Conditions.find(all, type);
  }

  /** The condition of this type if its status is {@code True}. */
  public Optional<Condition> findTrue(String type) {
    return find(type).filter(Condition::isTrue);
  }

  /** The condition of this type if its status is {@code False}. */
  public Optional<Condition> findFalse(String type) {
    return find(type).filter(Condition::isFalse);
  }

  /** Whether a condition of this type is there with status {@code True}. */
  public boolean isTrue(String type) {
    return Conditions.isTrue(all, type);
  }

  /** Whether a condition of this type is there with status {@code False}. */
  public boolean isFalse(String type) {
    return Conditions.isFalse(all, type);
  }
}
