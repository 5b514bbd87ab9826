// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The state that an evaluation saw when it started: its verdict counts only for this. The page on
 * the life cycle calls it the question ({@code docs/lifecycle.md#the-side-of-the-checks}).
 *
 * @param uid of the Workload: one deleted and created again under its name is another
 * @param reservation the reservation that was judged
 * @param entry what counts of the check's own entry
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Token(String uid, Reservation reservation, Entry entry) {

  /**
   * The part of a check's entry that changes with a decision of the check or of the queue
   * controller; its message and updates don't count.
   *
   * @param state what the check said last
   * @param lastTransitionTime when it said so
   * @param retryCount how often the workload was sent back; 0 when absent
   */
  public record Entry(CheckState state, Instant lastTransitionTime, int retryCount) {
    static Entry of(AdmissionCheckState entry) {
      return new Entry(
          entry.state(),
          entry.lastTransitionTime(),
          Objects.requireNonNullElse(entry.retryCount(), 0));
    }
  }

  /**
   * The token of an evaluation that starts now; empty if the workload has no entry of the check.
   */
  public static Optional<Token> of(Workload workload, String check) {
    return workload
        .status()
        .admissionCheck(check)
        .map(
            entry ->
                new Token(
                    Objects.requireNonNullElse(workload.metadata().getUid(), ""),
                    Reservation.of(workload),
                    Entry.of(entry)));
  }
}
