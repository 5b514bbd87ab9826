// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A soak can't go on; the message says why. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class SoakException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SoakException(String message) {
    this(message, null);
  }

  SoakException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
