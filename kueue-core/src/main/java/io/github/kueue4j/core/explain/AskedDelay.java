// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.AdmissionCheckState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The delay that a check asks for with a Retry, as the core counts it.
 *
 * @param until when it ends
 * @param capped whether the core ends it before what the entry says
 */
record AskedDelay(Instant until, boolean capped) {

  /**
   * That of an entry in Retry; none without {@code requeueAfterSeconds}.
   *
   * @param maximum the core's {@code maximumRetryDelay}
   */
  static AskedDelay of(AdmissionCheckState entry, Duration maximum) {
    Duration asked =
        Duration.ofSeconds(Math.max(0, Objects.requireNonNullElse(entry.requeueAfterSeconds(), 0)));
    boolean capped = asked.compareTo(maximum) > 0;
    return new AskedDelay(entry.lastTransitionTime().plus(capped ? maximum : asked), capped);
  }
}
