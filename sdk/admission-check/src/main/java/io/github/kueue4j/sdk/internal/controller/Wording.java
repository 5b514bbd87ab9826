// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;

/** How the message of a Retry becomes the one that is written. */
enum Wording {
  /** The check's author wrote it: its placeholders are filled. */
  ANNOUNCING {
    @Override
    String of(Verdict.Retry retry, int attempt, Duration delay) {
      return retry.message(attempt, delay);
    }
  },
  /** It quotes what others wrote, for example an exception: it stays as it is. */
  AS_IT_IS {
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
