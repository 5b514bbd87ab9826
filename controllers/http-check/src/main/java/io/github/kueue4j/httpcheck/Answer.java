// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.api.PodSetUpdate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The answer of an endpoint about a Workload.
 *
 * @param verdict its word
 * @param reason one upper-camel-case word; empty if it gave none
 * @param message for people; may be empty
 * @param retryAfter when it wants to be asked again, with Pending and Retry
 * @param updates of the pods, with Ready
 */
record Answer(
    Word verdict,
    Optional<String> reason,
    String message,
    Optional<Duration> retryAfter,
    List<PodSetUpdate> updates) {

  /** The verdicts that an endpoint can name. */
  enum Word {
    READY("Ready"),
    PENDING("Pending"),
    RETRY("Retry"),
    REJECTED("Rejected");

    private final String text;

    Word(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    /** Whether the endpoint is asked again later. */
    boolean waits() {
      return this == PENDING || this == RETRY;
    }
  }

  Answer {
    updates = List.copyOf(updates);
  }

  Answer withRetryAfter(Optional<Duration> other) {
    return new Answer(verdict, reason, message, other, updates);
  }

  /** The verdict alone. */
  static Answer of(Word verdict, String message, Optional<Duration> retryAfter) {
    return new Answer(verdict, Optional.empty(), message, retryAfter, List.of());
  }
}
