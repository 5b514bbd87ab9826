// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;

/** The treatment of the placeholders in the message of a Retry when it is written. */
enum Placeholders {
  /** The author of the check wrote the message: its placeholders are filled. */
  FILLED {
    @Override
    String of(Verdict.Retry retry, int attempt, Duration delay) {
      return retry.message(attempt, delay);
    }
  },
  /** The message quotes what others wrote, for example an exception: it stays as it is. */
  LEFT {
    @Override
    String of(Verdict.Retry retry, int attempt, Duration delay) {
      return retry.message();
    }
  };

  /**
   * The message that is written.
   *
   * @param attempt the entry's {@code retryCount}
   * @param delay the delay that the message announces
   */
  abstract String of(Verdict.Retry retry, int attempt, Duration delay);
}
