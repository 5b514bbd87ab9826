// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import org.apiguardian.api.API;

/** A load file says something that can't be done; the message names place and remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class InvalidLoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidLoadException(String message) {
    super(message);
  }

  InvalidLoadException(String message, Throwable cause) {
    super(message, cause);
  }
}
