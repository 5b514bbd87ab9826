// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import org.apiguardian.api.API;

/**
 * Thrown if what one namespace has consumed can't be told, although the server answers: that says
 * nothing about other namespaces.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ConsumptionUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what stands in the way. */
  public ConsumptionUnknownException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Without another failure behind it. */
  public ConsumptionUnknownException(String message) {
    super(message);
  }
}
