// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or a date. A date counts from
 * the answer's own {@code Date}, so that the clocks of both sides don't matter; without one from
 * when the answer came.
 */
final class RetryAfter {
  /** Digits that fit an {@code int}; longer numbers are no delays. */
  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  static Optional<Duration> of(Response response) {
    Headers headers = response.headers();
    @Nullable String text = headers.get("Retry-After");
    if (text == null) {
      return Optional.empty();
    }
    String value = text.strip();
    if (!value.isEmpty() && value.chars().allMatch(each -> each >= '0' && each <= '9')) {
      return value.length() <= MOST_DIGITS
          ? Optional.of(Duration.ofSeconds(Integer.parseInt(value)))
          : Optional.empty();
    }
    @Nullable Instant until = headers.getInstant("Retry-After");
    if (until == null) {
      return Optional.empty();
    }
    @Nullable Instant said = headers.getInstant("Date");
    Instant from = said == null ? Instant.ofEpochMilli(response.receivedResponseAtMillis()) : said;
    Duration delay = Duration.between(from, until);
    return Optional.of(delay.isNegative() ? Duration.ZERO : delay);
  }
}
