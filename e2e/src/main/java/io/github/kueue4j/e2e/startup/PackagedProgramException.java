// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import java.io.Serial;
import org.apiguardian.api.API;

/** A packaged program can't be unpacked, started or trained; the message says which and why. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class PackagedProgramException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  PackagedProgramException(String message) {
    super(message);
  }

  PackagedProgramException(String message, Throwable cause) {
    super(message, cause);
  }
}
