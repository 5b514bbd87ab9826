// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import org.apiguardian.api.API;

/**
 * The kit can't judge the controller on this cluster; the message says what to change.
 *
 * @see Conformance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ConformanceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConformanceException(String message) {
    super(message);
  }
}
