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
 * @param requeueAfterSeconds with Retry: seconds from {@code lastTransitionTime} before which the
 *     workload is not requeued; 0 is not absent (KEP-3258)
 * @param retryCount how often this check went from Retry to Pending since its last success
 *     (KEP-3258)
 * @param podSetUpdates what the check adds to the pods when they start
 * @param preemptionRequested kueue4j extension: the check asks for the preemption that its
 *     reservation deferred (KEP-993 AfterCheckPassedOrOnDemand); other servers prune it
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

  /** A copy with another {@code name}. */
  public AdmissionCheckState withName(String name) {
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

  /** A copy with another {@code state}. */
  public AdmissionCheckState withState(CheckState state) {
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

  /** A copy with another {@code lastTransitionTime}. */
  public AdmissionCheckState withLastTransitionTime(Instant lastTransitionTime) {
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

  /** A copy with another {@code message}. */
  public AdmissionCheckState withMessage(String message) {
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

  /** A copy with another {@code requeueAfterSeconds}. */
  public AdmissionCheckState withRequeueAfterSeconds(@Nullable Integer requeueAfterSeconds) {
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

  /** A copy with another {@code retryCount}. */
  public AdmissionCheckState withRetryCount(@Nullable Integer retryCount) {
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

  /** A copy with another {@code podSetUpdates}. */
  public AdmissionCheckState withPodSetUpdates(List<PodSetUpdate> podSetUpdates) {
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

  /** A copy with another {@code preemptionRequested}. */
  public AdmissionCheckState withPreemptionRequested(@Nullable Boolean preemptionRequested) {
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
