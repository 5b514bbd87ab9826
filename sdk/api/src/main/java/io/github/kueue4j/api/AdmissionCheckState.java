// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one admission check in the status of a workload.
 *
 * @param name the AdmissionCheck
 * @param state the verdict; absent reads as Pending
 * @param lastTransitionTime when the state last changed; whole seconds, a fraction is cut off; the
 *     epoch when absent
 * @param message for people, may be empty, at most 32768 characters
 * @param requeueAfterSeconds with Retry: seconds from {@code lastTransitionTime} during which the
 *     workload is not requeued, 0 or more; 0 differs from absent (KEP-3258)
 * @param retryCount how often this check went from Retry to Pending since its last success
 *     (KEP-3258)
 * @param podSetUpdates the additions of the check to the pods at their start
 * @param preemptionRequested kueue4j extension: the check requests the preemption that was deferred
 *     for its reservation (KEP-993 AfterCheckPassedOrOnDemand); other servers prune it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckState(
    @Required String name,
    @Required CheckState state,
    @Required Instant lastTransitionTime,
    @Required String message,
    @Nullable Integer requeueAfterSeconds,
    @Nullable Integer retryCount,
    List<PodSetUpdate> podSetUpdates,
    @Nullable Boolean preemptionRequested) {
  public AdmissionCheckState {
    name = Lenient.text(name);
    state = state == null ? CheckState.PENDING : state;
    lastTransitionTime = Lenient.secondsOrEpoch(lastTransitionTime);
    message = Lenient.text(message);
    podSetUpdates = Lenient.list(podSetUpdates);
  }

  /** An entry that is Pending since {@code since}, without a message. */
  public static AdmissionCheckState pending(String name, Instant since) {
    return new AdmissionCheckState(
        name, CheckState.PENDING, since, "", null, null, List.of(), null);
  }

  /** Whether the entry is in this state. */
  public boolean is(CheckState other) {
    return state.equals(other);
  }

  /** A copy with another {@code state}. */
  public AdmissionCheckState withState(CheckState state) {
    return with(state, lastTransitionTime, message);
  }

  /** A copy with another {@code lastTransitionTime}. */
  public AdmissionCheckState withLastTransitionTime(Instant lastTransitionTime) {
    return with(state, lastTransitionTime, message);
  }

  /** A copy with another {@code message}. */
  public AdmissionCheckState withMessage(String message) {
    return with(state, lastTransitionTime, message);
  }

  /** A copy with another {@code requeueAfterSeconds}. */
  public AdmissionCheckState withRequeueAfterSeconds(@Nullable Integer requeueAfterSeconds) {
    return with(requeueAfterSeconds, retryCount, podSetUpdates, preemptionRequested);
  }

  /** A copy with another {@code retryCount}. */
  public AdmissionCheckState withRetryCount(@Nullable Integer retryCount) {
    return with(requeueAfterSeconds, retryCount, podSetUpdates, preemptionRequested);
  }

  /** A copy with another {@code podSetUpdates}. */
  public AdmissionCheckState withPodSetUpdates(List<PodSetUpdate> podSetUpdates) {
    return with(requeueAfterSeconds, retryCount, podSetUpdates, preemptionRequested);
  }

  /** A copy with another {@code preemptionRequested}. */
  public AdmissionCheckState withPreemptionRequested(@Nullable Boolean preemptionRequested) {
    return with(requeueAfterSeconds, retryCount, podSetUpdates, preemptionRequested);
  }

  private AdmissionCheckState with(CheckState state, Instant lastTransitionTime, String message) {
    return new AdmissionCheckState(
        name,
        state,
        lastTransitionTime,
        message,
        requeueAfterSeconds,
        retryCount,
        podSetUpdates,
        preemptionRequested);
  }

  private AdmissionCheckState with(
      @Nullable Integer requeueAfterSeconds,
      @Nullable Integer retryCount,
      List<PodSetUpdate> podSetUpdates,
      @Nullable Boolean preemptionRequested) {
    return new AdmissionCheckState(
        name,
        state,
        lastTransitionTime,
        message,
        requeueAfterSeconds,
        retryCount,
        podSetUpdates,
        preemptionRequested);
  }
}
