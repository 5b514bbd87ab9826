// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Thrown by {@link Check#evaluate} when what the check asks, its backend, can't answer at present,
 * whatever the workload. The workload is evaluated again later, as after any exception; besides,
 * the circuit breaker of the AdmissionCheck counts it, and after enough of them leaves the backend
 * alone for a while.
 *
 * <p>Any other exception, and a timeout, is taken for a trouble of the workload that was evaluated:
 * other workloads don't wait because of it, unless several of them meet the same.
 *
 * <pre>{@code
 * HttpResponse<String> response;
 * try {
 *   response = http.send(request, BodyHandlers.ofString());
 * } catch (IOException e) {
 *   throw new BackendUnavailableException("the licence server at " + uri + " can't be reached", e);
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class BackendUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The backend can't answer.
   *
   * @param message for people: which backend, and what to do
   */
  public BackendUnavailableException(String message) {
    super(message);
  }

  /**
   * The backend can't answer because of this.
   *
   * @param message for people: which backend, and what to do
   */
  public BackendUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * How long the backend asked to be left alone, zero or positive; empty unless it said so. The
   * workload isn't evaluated again before, but once more when its error budget is over.
   */
  public Optional<Duration> retryAfter() {
    return Optional.empty();
  }
}
