// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * kueue4j extension: whether the delay of a Retry grows with each attempt.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetryStrategy(String value) implements OpenValue {
  /** The same delay each time. */
  public static final RetryStrategy STATIC = new RetryStrategy("Static");

  /** A delay that grows with the retry count. */
  public static final RetryStrategy BACKOFF = new RetryStrategy("Backoff");

  @Override
  public String toString() {
    return value;
  }
}
