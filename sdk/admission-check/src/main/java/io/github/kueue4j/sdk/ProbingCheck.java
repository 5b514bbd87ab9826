// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/**
 * An admission check that can tell whether its backend works without judging a workload. While it
 * doesn't, the AdmissionCheck object is not Active, with the reason: queues then reserve no quota
 * for workloads that the check could not judge. Workloads that already wait for their verdict are
 * evaluated as usual, and again as soon as the backend works.
 *
 * {@snippet file="io/github/kueue4j/sdk/example/ControlPlaneCheck.java" region=plane}
 *
 * @param <P> as in {@link Check}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ProbingCheck<P> extends Check<P> {

  /**
   * Asks the backend. Called once after the start and then at the controller's probe interval, for
   * one AdmissionCheck object after the other, on a thread that may block; interrupted after the
   * controller's timeout.
   *
   * @param check the name of the AdmissionCheck
   * @param parameters those that the AdmissionCheck refers to
   * @return how the backend is
   * @throws Exception counts as down, with the exception's message
   */
  BackendHealth probe(String check, P parameters) throws Exception;
}
