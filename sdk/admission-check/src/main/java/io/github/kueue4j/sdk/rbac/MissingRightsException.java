// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.rbac;

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * Thrown when a check controller starts and its account may not read what the check needs, or may
 * not use its Lease. The message names each missing right, and a command that prints roles with it.
 *
 * @see io.github.kueue4j.sdk.program.CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MissingRightsException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Thrown by the controller alone. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public MissingRightsException(String message) {
    super(message);
  }
}
