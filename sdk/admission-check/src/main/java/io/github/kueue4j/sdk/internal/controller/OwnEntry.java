// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.internal.fence.Phase;
import io.github.kueue4j.sdk.internal.fence.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A workload's entry of a check that this controller answers for, as a worker found it: the value
 * that one evaluation carries from the decision that it is due to the memory of its answer.
 *
 * @param workload the object as the informer shows it
 * @param state the entry in its status
 * @param phase where the workload stands
 * @param beforeQuota whether the check is asked about it before quota
 * @param parameters those of the AdmissionCheck, or why there are none
 * @param basis what an evaluation would judge
 * @param memory what is remembered of earlier evaluations
 * @param woken whether something that the check looks at has changed since the last evaluation
 * @param newParameters what the check was last said to have changed its parameters to; absent: that
 *     has had its effect
 * @param seen when the worker looked
 */
record OwnEntry<P>(
    Workload workload,
    AdmissionCheckState state,
    Phase phase,
    boolean beforeQuota,
    Resolution<P> parameters,
    Progress.Basis basis,
    CheckMemory memory,
    boolean woken,
    @Nullable Resolution<?> newParameters,
    Instant seen) {

  /**
   * The entry as it is now.
   *
   * @param check the AdmissionCheck
   * @param lookup finds the parameters of the AdmissionCheck
   */
  static <P> OwnEntry<P> of(
      Workload workload,
      AdmissionCheckState state,
      AdmissionCheck check,
      Supplier<Resolution<P>> lookup,
      CheckMemory memory,
      Instant now) {
    @Nullable Resolution<?> newParameters = memory.newParameters();
    // In this order: what a change that comes in between leaves behind is not spent by an
    // evaluation with the former parameters.
    Resolution<P> parameters = lookup.get();
    Progress.Basis basis =
        new Progress.Basis(
            Token.of(workload, state.name()).orElseThrow(),
            Objects.requireNonNullElse(workload.metadata().getGeneration(), 0L),
            parameters,
            CheckMode.observes(check));
    return new OwnEntry<>(
        workload,
        state,
        Phase.of(workload),
        CheckStage.beforeQuota(check) && CheckStage.asks(workload),
        parameters,
        basis,
        memory,
        memory.isWoken() || (newParameters != null && !memory.gaveRetry(newParameters)),
        newParameters,
        now);
  }

  /** The evaluation that the author's methods get to see. */
  Evaluation<P> evaluation(P readParameters, PodSets podSets, Duration timeout) {
    return new Evaluation<>(
        check(), workload, podSets.of(workload), state, readParameters, seen, seen.plus(timeout));
  }

  ObjectKey key() {
    return workload.key();
  }

  /** The name of the AdmissionCheck. */
  String check() {
    return state.name();
  }

  Token token() {
    return basis.token();
  }

  /**
   * Whether an answer that takes the Ready back holds even if the Workload was admitted since it
   * was asked for: it runs already, or isn't what the Ready was about any more.
   */
  boolean judgesWhatRuns() {
    @Nullable ReadySubject about = memory.readyAbout();
    return phase == Phase.ADMITTED || (about != null && !about.equals(ReadySubject.of(workload)));
  }

  /** How often the workload was sent back. */
  int attempt() {
    return token().entry().retryCount();
  }

  /** Whether other parameters than those that gave the entry's Retry apply now. */
  boolean parametersChanged() {
    return newParameters != null && !memory.gaveRetry(newParameters);
  }

  boolean isPending() {
    return state.is(CheckState.PENDING);
  }

  boolean isReady() {
    return state.is(CheckState.READY);
  }

  /** Whether the answer is only recorded: the AdmissionCheck is in the mode Observe. */
  boolean observes() {
    return basis.observes();
  }

  /** Whether the entry records an answer that nothing had to wait for. */
  boolean isRecord() {
    return ObservedAnswer.of(state).isPresent();
  }
}
