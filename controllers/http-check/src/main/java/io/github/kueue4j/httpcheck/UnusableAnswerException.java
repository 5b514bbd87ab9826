// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import org.jspecify.annotations.Nullable;

/** An endpoint answered what is no verdict; the message says what was wrong. */
final class UnusableAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableAnswerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
