// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import io.github.kueue4j.core.quota.Amounts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The past and the current usage of one queue. */
final class UsageAccount {
  private final UsagePolicy policy;
  private Consumed consumed;

  /** The past usage at the start of the second in which it last changed. */
  private Consumed beforeThatSecond;

  /** Requests of the admitted Workloads. */
  private Amounts<String> running = Amounts.none();

  /** Requests of the reservations that have not been Admitted yet. */
  private Amounts<String> entering = Amounts.none();

  UsageAccount(UsagePolicy policy, Consumed consumed) {
    this.policy = policy;
    this.consumed = consumed;
    this.beforeThatSecond = consumed;
  }

  Consumed consumedBy(Instant now) {
    return consumed.by(now, running, policy);
  }

  /**
   * The usage by which queues are compared: past usage plus the entry penalties of reservations.
   */
  Consumed chargedBy(Instant now) {
    return consumedBy(now).plus(entering, policy.entryShare());
  }

  /**
   * The usage to write: at the start of this second, because a status has whole seconds only. It
   * doesn't contain any change whose time is this second or later.
   */
  Consumed sample(Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    return second.isAfter(beforeThatSecond.at())
        ? consumed.by(second, running, policy)
        : beforeThatSecond;
  }

  Amounts<String> running() {
    return running;
  }

  Amounts<String> entering() {
    return entering;
  }

  void setRunning(Amounts<String> requests, Instant now) {
    advance(now);
    running = requests;
  }

  void setEntering(Amounts<String> requests) {
    entering = requests;
  }

  /** Adds a share of some requests to the past usage. */
  void charge(Amounts<String> requests, double share, Instant now) {
    advance(now);
    consumed = consumed.plus(requests, share);
  }

  boolean forgettable(Instant now) {
    return running.isEmpty() && entering.isEmpty() && consumedBy(now).isNegligible();
  }

  private void advance(Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    if (second.isAfter(beforeThatSecond.at())) {
      beforeThatSecond = consumed.by(second, running, policy);
    }
    consumed = consumed.by(now, running, policy);
  }
}
