// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.SchedulingStatsEviction;

/**
 * Why a Workload is evicted.
 *
 * @param reason of the Evicted condition
 * @param counted the reason under which it is counted: Deactivated for every deactivation
 * @param cause the underlying cause; may be empty
 * @param message for the condition and the event
 */
record Eviction(String reason, String counted, String cause, String message) {

  boolean isCountedBy(SchedulingStatsEviction known) {
    return known.reason().equals(counted) && known.underlyingCause().equals(cause);
  }

  static Eviction of(String reason, String message) {
    return new Eviction(reason, reason, "", message);
  }

  static Eviction of(String reason, String cause, String message) {
    return new Eviction(reason, reason, cause, message);
  }

  /**
   * A deactivation for {@code reason}, which is Deactivated or DeactivatedDueTo followed by a
   * cause.
   */
  static Eviction deactivation(String reason, String message) {
    String cause =
        reason.startsWith(EvictionReasons.DEACTIVATED_DUE_TO)
            ? reason.substring(EvictionReasons.DEACTIVATED_DUE_TO.length())
            : "";
    return new Eviction(reason, EvictionReasons.DEACTIVATED, cause, message);
  }
}
