// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an object says, read independently of the code that is explored. */
final class Reading {
  private Reading() {}

  static @Nullable Condition condition(Workload object, String type) {
    for (Condition condition : object.status().conditions()) {
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  static boolean isTrue(Workload object, String type) {
    Condition condition = condition(object, type);
    return condition != null && condition.isTrue();
  }

  static boolean isFalse(Workload object, String type, String reason) {
    Condition condition = condition(object, type);
    return condition != null && condition.isFalse() && condition.reason().equals(reason);
  }

  static boolean reserved(Workload object) {
    return isTrue(object, WorkloadConditions.QUOTA_RESERVED);
  }

  static boolean admitted(Workload object) {
    return isTrue(object, WorkloadConditions.ADMITTED);
  }

  static boolean evicted(Workload object) {
    return isTrue(object, WorkloadConditions.EVICTED);
  }

  static boolean finished(Workload object) {
    return isTrue(object, WorkloadConditions.FINISHED);
  }

  /** Since when quota is reserved; null if it isn't. */
  static @Nullable Instant reservedSince(Workload object) {
    Condition condition = condition(object, WorkloadConditions.QUOTA_RESERVED);
    return condition == null || !condition.isTrue() ? null : condition.lastTransitionTime();
  }

  /** The date of QuotaReserved, True or False; the epoch without one. */
  static Instant quotaReservedDate(Workload object) {
    Condition condition = condition(object, WorkloadConditions.QUOTA_RESERVED);
    return condition == null ? Instant.EPOCH : condition.lastTransitionTime();
  }

  /** The retryCount of a check that has no entry since it comes after others; null for none. */
  static @Nullable Integer withheldCount(Workload object, String check) {
    Condition condition = condition(object, WorkloadConditions.WITHHELD_CHECKS);
    if (condition == null) {
      return null;
    }
    Matcher count =
        Pattern.compile("(?<![-.a-z0-9])" + Pattern.quote(check) + "=(\\d+)")
            .matcher(condition.message());
    return count.find() ? Integer.valueOf(count.group(1)) : null;
  }

  static @Nullable Instant requeueAt(Workload object) {
    var state = object.status().requeueState();
    return state == null ? null : state.requeueAt();
  }
}
