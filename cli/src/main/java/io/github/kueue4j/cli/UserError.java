// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An error outside the program that the user can correct. The message is one line that names the
 * object, the action that failed and the remedy; the launcher prints it and exits with status 2.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserError(String message) {
    this(message, null);
  }

  public UserError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
