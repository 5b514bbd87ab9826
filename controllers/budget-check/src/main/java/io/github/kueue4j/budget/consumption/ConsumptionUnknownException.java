// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import io.github.kueue4j.sdk.BackendUnavailableException;
import org.apiguardian.api.API;

/** Thrown if what was consumed can't be told at present, whatever the Workload. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ConsumptionUnknownException extends BackendUnavailableException {
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
