// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.fence.Phase;
import io.github.kueue4j.sdk.fence.Token;
import java.time.Instant;
import java.util.Objects;

/**
 * A workload's entry of a check that this controller answers for, as a worker found it: the value
 * that one evaluation carries from the decision that it is due to the memory of its answer.
 *
 * @param workload the object as the informer shows it
 * @param state the entry in its status
 * @param phase where the workload stands
 * @param parameters those of the AdmissionCheck, or why there are none
 * @param basis what an evaluation would judge
 * @param memory what is remembered of earlier evaluations
 * @param woken whether something that the check watches has changed since the last evaluation
 * @param parametersChanged whether its parameters have
 * @param seen when the worker looked
 */
record OwnEntry<P>(
    Workload workload,
    AdmissionCheckState state,
    Phase phase,
    Resolution<P> parameters,
    Progress.Basis basis,
    CheckMemory memory,
    boolean woken,
    boolean parametersChanged,
    Instant seen) {

  /** The entry as it is now. */
  static <P> OwnEntry<P> of(
      Workload workload,
      AdmissionCheckState state,
      Resolution<P> parameters,
      CheckMemory memory,
      Instant now) {
    Progress.Basis basis =
        new Progress.Basis(
            Token.of(workload, state.name()).orElseThrow(),
            Objects.requireNonNullElse(workload.metadata().getGeneration(), 0L),
            parameters.version());
    return new OwnEntry<>(
        workload,
        state,
        Phase.of(workload),
        parameters,
        basis,
        memory,
        memory.isWoken(),
        memory.parametersChanged(),
        now);
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

  /** How often the workload was sent back. */
  int attempt() {
    return token().entry().retryCount();
  }

  boolean isPending() {
    return state.is(CheckState.PENDING);
  }

  boolean isReady() {
    return state.is(CheckState.READY);
  }
}
