// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import org.apiguardian.api.API;

/** Thrown if a simulation can't go on. */
@API(status = API.Status.INTERNAL)
public final class SimulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SimulationException(String message) {
    super(message);
  }
}
