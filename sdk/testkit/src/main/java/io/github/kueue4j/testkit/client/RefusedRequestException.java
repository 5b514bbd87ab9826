// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import org.apiguardian.api.API;

/**
 * The API server answered a request with an error.
 *
 * @see JsonApi
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RefusedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedRequestException(String request, int status, String reason) {
    super(request + " was answered " + status + ": " + reason);
    this.status = status;
  }

  /** The HTTP status, 400 to 599. */
  public int status() {
    return status;
  }

  /** Whether another client changed the object in between (409). */
  public boolean isConflict() {
    return status == 409;
  }

  /** Whether there is no such object (404). */
  public boolean isNotFound() {
    return status == 404;
  }
}
