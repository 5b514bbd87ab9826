// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Exponential delay after consecutive failures.
 *
 * @param base after the first failure; above zero
 * @param max the longest delay; at least the base
 */
@API(status = API.Status.INTERNAL)
public record ErrorBackoff(Duration base, Duration max) {

  public ErrorBackoff {
    if (base.isZero() || base.isNegative() || max.compareTo(base) < 0) {
      throw new IllegalArgumentException(
          "error backoff from " + base + " to " + max + ": base must be above zero, max not below");
    }
  }

  /**
   * The delay after this many consecutive failures.
   *
   * @param failures at least 1
   */
  public Duration after(int failures) {
    Duration delay = base;
    for (int i = 1; i < failures && delay.compareTo(max) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(max) > 0 ? max : delay;
  }
}
