// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/**
 * The health of a check's backend: whether it can answer at all; see {@link ProbingCheck}.
 *
 * @see ProbingCheck
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface BackendHealth {

  /** The backend can answer. */
  record Up() implements BackendHealth {
    private static final Up INSTANCE = new Up();
  }

  /**
   * The backend can't answer.
   *
   * @param reason for machines
   * @param message for people: what is wrong and what to do; keep it the same while the cause is
   *     the same, since every change is written to the AdmissionCheck
   */
  record Down(Reason reason, String message) implements BackendHealth {}

  /** The backend can answer. */
  static BackendHealth up() {
    return Up.INSTANCE;
  }

  /** The backend can't answer. */
  static BackendHealth down(Reason reason, String message) {
    return new Down(reason, message);
  }
}
