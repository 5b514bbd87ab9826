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
package io.github.kueue4j.core.usage;

import io.github.kueue4j.core.quota.Amounts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What one queue has used, uses, and is about to use. */
final class UsageAccount {
  private final UsagePolicy policy;
  private Consumed consumed;

  /** How it was at the start of the second in which it last changed. */
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

  /** What the queue is compared by: the past, and the entry penalties of what has come in since. */
  Consumed chargedBy(Instant now) {
    return consumedBy(now).plus(entering, policy.entryShare());
  }

  /**
   * What is to be written: the usage at the start of this second, before anything that happened in
   * it, because a status knows whole seconds only. Whatever carries a time of this second or later
   * is not in it.
   */
  Consumed sample(Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    return consumed.at().isAfter(second) ? beforeThatSecond : consumed.by(second, running, policy);
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

  /** Adds a share of some requests to the past. */
  void charge(Amounts<String> requests, double share, Instant now) {
    advance(now);
    consumed = consumed.plus(requests, share);
  }

  boolean forgettable(Instant now) {
    return running.isEmpty() && entering.isEmpty() && consumedBy(now).isNegligible();
  }

  private void advance(Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    if (!second.isBefore(consumed.at())) {
      beforeThatSecond = consumed.by(second, running, policy);
    }
    consumed = consumed.by(now, running, policy);
  }
}
