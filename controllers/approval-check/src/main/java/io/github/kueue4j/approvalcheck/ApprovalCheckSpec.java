// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import io.github.kueue4j.api.InvalidFieldException;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The spec of an {@code ApprovalCheck}.
 *
 * @param approvers who is to be asked, for people: it stands in the message of each Workload that
 *     waits; absent: the message says no more than that
 * @param holdsFor how long an approval holds that has no end of its own, at least 1 min; absent:
 *     without an end
 * @param remindEvery how often a Workload that waits is sent back anew, with an event, 1 min to 24
 *     h; absent: 24 h
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ApprovalCheckSpec(
    Optional<String> approvers, Optional<Duration> holdsFor, Optional<Duration> remindEvery) {
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  /** As long as kueue-core honours unless configured otherwise. */
  private static final Duration LONGEST = Duration.ofHours(24);

  /**
   * @throws InvalidFieldException if a field makes no sense; the message says what to write
   */
  public ApprovalCheckSpec {
    approvers = approvers.map(String::strip).filter(text -> !text.isEmpty());
    if (holdsFor.isPresent() && holdsFor.get().compareTo(SHORTEST) < 0) {
      throw new InvalidFieldException(
          "holdsFor", holdsFor.get().toString(), "write a duration of 1m or more, such as 72h");
    }
    if (remindEvery.isPresent()
        && (remindEvery.get().compareTo(SHORTEST) < 0
            || remindEvery.get().compareTo(LONGEST) > 0)) {
      throw new InvalidFieldException(
          "remindEvery", remindEvery.get().toString(), "write a duration from 1m to 24h");
    }
  }

  /** What holds where an AdmissionCheck names no parameters. */
  public static ApprovalCheckSpec defaults() {
    return new ApprovalCheckSpec(Optional.empty(), Optional.empty(), Optional.empty());
  }

  Duration reminder() {
    return remindEvery.orElse(LONGEST);
  }
}
