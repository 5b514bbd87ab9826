// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

/** Thrown if a request body isn't the review that its path expects. */
final class InvalidReviewException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidReviewException(String message) {
    super(message);
  }

  InvalidReviewException(String message, Throwable cause) {
    super(message, cause);
  }
}
