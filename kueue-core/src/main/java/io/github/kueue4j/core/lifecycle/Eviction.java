/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.SchedulingStatsEviction;

/**
 * Why a Workload is evicted.
 *
 * @param reason of the Evicted condition
 * @param counted the reason under which it is counted: Deactivated for every deactivation
 * @param cause what lies underneath; may be empty
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

  /** A deactivation for {@code reason}, which is Deactivated or DeactivatedDueTo and a cause. */
  static Eviction deactivation(String reason, String message) {
    String cause =
        reason.startsWith(Reasons.DEACTIVATED_DUE_TO)
            ? reason.substring(Reasons.DEACTIVATED_DUE_TO.length())
            : "";
    return new Eviction(reason, Reasons.DEACTIVATED, cause, message);
  }
}
