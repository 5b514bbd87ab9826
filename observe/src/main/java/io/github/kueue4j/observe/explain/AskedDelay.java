// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The delay that a check asks for with a Retry, as the core counts it.
 *
 * @param until when it ends
 * @param cut to which bound the core cuts it; empty if to none
 */
record AskedDelay(Instant until, String cut) {
  private static final String MAXIMUM = "maximumRetryDelay";

  /**
   * The delay of an entry in Retry; none without {@code requeueAfterSeconds}.
   *
   * @param maximum the core's {@code maximumRetryDelay}
   */
  static AskedDelay of(AdmissionCheckState entry, Duration maximum) {
    return of(entry, maximum, MAXIMUM);
  }

  /** The same with another bound, which messages call {@code name}. */
  static AskedDelay of(AdmissionCheckState entry, Duration maximum, String name) {
    Duration asked =
        Duration.ofSeconds(Math.max(0, Objects.requireNonNullElse(entry.requeueAfterSeconds(), 0)));
    boolean cut = asked.compareTo(maximum) > 0;
    return new AskedDelay(entry.lastTransitionTime().plus(cut ? maximum : asked), cut ? name : "");
  }

  /**
   * The same where {@code maximumRetryDelay} isn't known: its default counts, unless the core wrote
   * an earlier end.
   *
   * @param requeueAt what the core wrote; one from before the Retry is about an earlier delay
   */
  static AskedDelay of(AdmissionCheckState entry, @Nullable Instant requeueAt) {
    AskedDelay usual = of(entry, LifecycleSettings.DEFAULT_MAXIMUM_RETRY_DELAY);
    return requeueAt != null
            && requeueAt.isAfter(entry.lastTransitionTime())
            && requeueAt.isBefore(usual.until)
        ? new AskedDelay(requeueAt, MAXIMUM)
        : usual;
  }
}
