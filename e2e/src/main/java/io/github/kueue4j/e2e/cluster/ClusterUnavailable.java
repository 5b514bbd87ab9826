// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A cluster that should have started did not; the message says what it lacked and what to do. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class ClusterUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClusterUnavailable(String message) {
    this(message, null);
  }

  ClusterUnavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
