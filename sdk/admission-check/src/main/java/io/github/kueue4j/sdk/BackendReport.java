// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.sdk.internal.controller.ReachReport;
import org.apiguardian.api.API;

/**
 * Where a check says whether its backend answered, if its verdicts don't: since it finds some of
 * them without the backend, or has a verdict for when the backend is down. It is shown by the
 * condition {@code BackendReachable} and by the metric {@code kueue4j_check_backend_reachable}.
 *
 * <pre>{@code
 * CheckController.Builder withLicenses(CheckController.Builder controller, IntSupplier server) {
 *   BackendReport report = controller.backendReport();
 *   return controller.check(
 *       evaluation -> {
 *         if (evaluation.namespace().equals("exempt")) {
 *           return Verdict.ready("Exempt."); // says nothing about the server
 *         }
 *         int free = server.getAsInt();
 *         report.answered(evaluation.check());
 *         return Verdict.ready(free + " licences are free.");
 *       });
 * }
 * }</pre>
 *
 * <p>Any thread may call its methods. Nothing is written as long as the same is said again.
 *
 * @see CheckController.Builder#backendReport
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface BackendReport {

  /** A report that is read by no controller, for calling a check directly. */
  static BackendReport unread() {
    return new ReachReport();
  }

  /**
   * The backend answered.
   *
   * @param check the name of the AdmissionCheck that asked
   */
  void answered(String check);

  /**
   * The backend didn't answer, whatever the workload. What {@link
   * io.github.kueue4j.sdk.Check#evaluate} throws as a {@link BackendUnavailableException} need not
   * be said here.
   *
   * @param check the name of the AdmissionCheck that asked
   * @param cause its message is for people: it stands in the condition
   */
  void unavailable(String check, BackendUnavailableException cause);
}
