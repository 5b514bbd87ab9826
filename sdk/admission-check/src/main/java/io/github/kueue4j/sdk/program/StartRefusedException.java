// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import java.io.Serial;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A program can't start with these options, in this environment or on this cluster, which its user
 * can correct. The message is one line that names what is wrong, where, and the remedy.
 *
 * @see CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StartRefusedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  StartRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** With the message of the cause, which is such a line already. */
  static StartRefusedException of(Throwable cause) {
    return new StartRefusedException(String.valueOf(cause.getMessage()), cause);
  }
}
