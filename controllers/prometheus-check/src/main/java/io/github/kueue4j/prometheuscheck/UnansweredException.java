// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.sdk.BackendUnavailableException;

/**
 * Prometheus failed at a query that depends on the Workload, which may be due to that Workload.
 * Unlike its cause, it opens the circuit breaker only when several Workloads meet the same: a
 * tenant whose Workload makes for an expensive query must not hold up the others.
 */
final class UnansweredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private UnansweredException(BackendUnavailableException cause) {
    super(cause.getMessage(), cause);
  }

  /** The failure of a query that depends on the Workload, unless it surely isn't due to it. */
  static RuntimeException of(BackendUnavailableException failure) {
    return failure instanceof EndpointUnavailableException e
            && !e.mayDependOnRequest()
            && e.kind() != EndpointUnavailableException.Kind.OVERLOADED
        ? failure
        : new UnansweredException(failure);
  }
}
