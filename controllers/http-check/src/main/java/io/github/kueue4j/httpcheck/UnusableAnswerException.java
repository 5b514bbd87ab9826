// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

/**
 * An endpoint, or what stands in the way to it, answered what is no verdict. The message says what
 * was wrong and quotes nothing of the answer, since tenants read it; for the same reason there is
 * no cause.
 */
final class UnusableAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableAnswerException(String message) {
    super(message);
  }
}
