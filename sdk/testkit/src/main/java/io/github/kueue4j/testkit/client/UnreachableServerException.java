// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import org.apiguardian.api.API;

/**
 * No answer came from the API server, or none can come with these credentials.
 *
 * @see JsonApi
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class UnreachableServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreachableServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
