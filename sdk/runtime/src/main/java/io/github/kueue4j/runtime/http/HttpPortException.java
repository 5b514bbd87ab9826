// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import org.apiguardian.api.API;

/** Thrown if a server's port can't be bound; the message is one line with the remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HttpPortException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HttpPortException(String message, Throwable cause) {
    super(message, cause);
  }
}
