// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;

/** A verdict that can't be written, such as one with an update of a pod set that isn't there. */
final class RefusedVerdictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A check's verdict is known to be wrong before it is written. */
  RefusedVerdictException(ObjectKey workload, String check, String fault) {
    super("the verdict of '" + check + "' on workload " + workload + " is wrong: " + fault);
  }

  /** The API server found it invalid. */
  RefusedVerdictException(ObjectKey workload, String check, RuntimeException cause) {
    super(
        "the API server refused the verdict of '%s' on workload %s: %s; correct the check's verdict"
            .formatted(check, workload, cause.getMessage()),
        cause);
  }
}
