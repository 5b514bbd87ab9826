// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;

/** The API server found a verdict invalid, for example an update of a pod set that isn't there. */
final class RefusedVerdictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedVerdictException(ObjectKey workload, String check, RuntimeException cause) {
    super(
        "the API server refused the verdict of '"
            + check
            + "' on workload "
            + workload
            + ": "
            + cause.getMessage()
            + "; correct the check's verdict",
        cause);
  }
}
