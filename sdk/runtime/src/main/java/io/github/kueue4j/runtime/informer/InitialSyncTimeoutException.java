// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import org.apiguardian.api.API;

/** Thrown if the caches did not sync in time; the message says which ones and why. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InitialSyncTimeoutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InitialSyncTimeoutException(String message) {
    super(message);
  }
}
