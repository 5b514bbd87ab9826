// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if no connection to a cluster is possible: the file, the context or the server is missing.
 * The message is one line that names the remedy.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClusterConnectionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
