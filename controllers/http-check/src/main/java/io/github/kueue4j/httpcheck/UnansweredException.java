// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.http.EndpointUnavailableException;

/**
 * An endpoint failed at a request, which may be due to the Workload that it is about. Unlike its
 * cause, it opens the circuit breaker only when several Workloads meet the same: a tenant whose
 * Workload makes the endpoint fail must not hold up the others.
 */
final class UnansweredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnansweredException(EndpointUnavailableException cause) {
    super(cause.getMessage(), cause);
  }
}
