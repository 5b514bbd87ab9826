// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/**
 * Thrown by {@link Check#evaluate} when the check doesn't ask its backend at the moment, such as to
 * keep to a rate limit. It is no failure, and says nothing about the backend: the workload is
 * evaluated again a second later, and gets a Retry when the controller's error budget is over, so
 * that what waits for its turn doesn't hold quota for ever. Thrown by {@link
 * DelayEndingCheck#delayEnds} the delay goes on.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NotAskedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Not now.
   *
   * @param message for the people whose workload waits: what it waits for
   */
  public NotAskedException(String message) {
    super(message);
  }
}
