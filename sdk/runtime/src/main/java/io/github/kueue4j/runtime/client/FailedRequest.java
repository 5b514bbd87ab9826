// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The message of a failed request, for log lines, and its advice for the next attempt. */
@API(status = API.Status.INTERNAL)
public final class FailedRequest {

  private FailedRequest() {}

  /** The message of its cause, or its own without one. */
  static String cause(Throwable failure) {
    return failure.getCause() == null ? describe(failure) : describe(failure.getCause());
  }

  /** The Retry-After of the server; zero without one. */
  public static Duration patience(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesApiException refusal && refusal.retryAfter() != null) {
        return refusal.retryAfter();
      }
    }
    return Duration.ZERO;
  }

  /** Its message, or its class where it has none. */
  public static String describe(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.getClass().getSimpleName() : message;
  }
}
