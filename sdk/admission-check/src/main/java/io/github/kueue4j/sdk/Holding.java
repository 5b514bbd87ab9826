// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.internal.Attempts;
import org.apiguardian.api.API;

/**
 * Something that a check holds for one attempt of a workload, named so that it can be found again
 * when the attempt is over or the workload gone: keep all four with every booking.
 *
 * @param workload namespace and name of the Workload
 * @param uid of the Workload: one deleted and created again under its name is another
 * @param check the name of the AdmissionCheck
 * @param attempt {@link Evaluation#attemptId}; empty: all that is held for the workload, whichever
 *     attempt it was taken for
 * @see Cleanup
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Holding(ObjectKey workload, String uid, String check, String attempt) {

  /** Names what this evaluation may take. */
  public static Holding of(Evaluation<?> evaluation) {
    return Attempts.holding(evaluation.workload(), evaluation.check());
  }

  /** The same, whichever attempt it was taken for. */
  public Holding ofAnyAttempt() {
    return new Holding(workload, uid, check, "");
  }

  /** Whether this names all that is held for the workload. */
  public boolean isOfAnyAttempt() {
    return attempt.isEmpty();
  }
}
