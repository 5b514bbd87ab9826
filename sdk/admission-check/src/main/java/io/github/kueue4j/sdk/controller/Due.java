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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.fence.Phase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a check has to judge a workload, and when. A function of values. */
sealed interface Due {

  /** Not as long as the object stays as it is. */
  record Never() implements Due {}

  /** Not before this instant. */
  record At(Instant when) implements Due {}

  /** Now. */
  record Now() implements Due {}

  /**
   * When a check looks again at what it has answered.
   *
   * @param readyEvery how often a Ready is rechecked while its reservation holds; absent: never
   * @param wakeInBackoff whether a Retry is rechecked in its backoff when the check is woken
   */
  record Rechecks(@Nullable Duration readyEvery, boolean wakeInBackoff) {

    /**
     * Whether a wake-up for which nothing is due yet may become due later. The answer to a Pending
     * may be on its way: once it is visible, what changed since it was found counts.
     */
    boolean keepWakeUps(AdmissionCheckState entry) {
      if (entry.is(CheckState.PENDING)) {
        return wakeInBackoff || readyEvery != null;
      }
      return entry.is(CheckState.RETRY) ? wakeInBackoff : readyEvery != null;
    }
  }

  /**
   * Decides for one entry.
   *
   * @param basis what an evaluation would judge now
   * @param progress the last evaluation's memory, absent if there was none
   * @param woken whether something that the check watches changed since then
   */
  static Due of(
      Phase phase,
      AdmissionCheckState entry,
      Progress.Basis basis,
      @Nullable Progress progress,
      boolean woken,
      Rechecks rechecks,
      Instant now) {
    @Nullable Progress known = progress != null && progress.basis().equals(basis) ? progress : null;
    if (entry.is(CheckState.PENDING)) {
      return phase == Phase.RESERVED ? pending(known, woken, now) : new Never();
    }
    if (entry.is(CheckState.READY)) {
      return phase.holdsReservation() ? ready(entry, known, woken, rechecks, now) : new Never();
    }
    if (entry.is(CheckState.RETRY)) {
      return phase == Phase.BACKOFF && rechecks.wakeInBackoff() && woken
          ? afterFailures(known, now)
          : new Never();
    }
    return new Never();
  }

  private static Due pending(@Nullable Progress known, boolean woken, Instant now) {
    if (known == null || (woken && !known.decided() && known.failures() == 0)) {
      return new Now();
    }
    return known.next() == null ? new Never() : at(known.next(), now);
  }

  private static Due ready(
      AdmissionCheckState entry,
      @Nullable Progress known,
      boolean woken,
      Rechecks rechecks,
      Instant now) {
    Duration every = rechecks.readyEvery();
    if (every == null) {
      return new Never();
    }
    if (known != null && known.next() != null) {
      return woken && known.failures() == 0 ? new Now() : at(known.next(), now);
    }
    return woken ? new Now() : at(entry.lastTransitionTime().plus(every), now);
  }

  /** In backoff only a failed evaluation has a time of its own. */
  private static Due afterFailures(@Nullable Progress known, Instant now) {
    return known == null || known.next() == null ? new Now() : at(known.next(), now);
  }

  private static Due at(Instant when, Instant now) {
    return when.isAfter(now) ? new At(when) : new Now();
  }
}
