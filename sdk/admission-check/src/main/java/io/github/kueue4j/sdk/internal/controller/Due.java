// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.internal.fence.Phase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The decision whether a check has to judge a workload, and when. */
sealed interface Due {

  /** Not as long as the object stays as it is. */
  record Never() implements Due {}

  /** Not before this instant. */
  record At(Instant when) implements Due {}

  /** Now. */
  record Now() implements Due {}

  /**
   * When a check is evaluated again after it has answered.
   *
   * @param readyEvery how often a Ready is rechecked while its reservation holds; absent: never
   * @param untilAdmission whether nothing is rechecked once it is admitted
   * @param delayEnding whether the check, once woken, is asked whether a delay of its own ends
   */
  record Rechecks(@Nullable Duration readyEvery, boolean untilAdmission, boolean delayEnding) {
    Rechecks(@Nullable Duration readyEvery, boolean delayEnding) {
      this(readyEvery, false, delayEnding);
    }

    /** Whether a Ready of what is admitted is rechecked. */
    boolean whatRuns() {
      return readyEvery != null && !untilAdmission;
    }

    /**
     * Whether a wake-up for which nothing is due yet may become due later. The verdict on a Pending
     * entry may not be visible yet: once it is, changes since it was found count.
     */
    boolean keepWakeUps(AdmissionCheckState entry) {
      if (entry.is(CheckState.PENDING)) {
        return delayEnding || readyEvery != null;
      }
      return entry.is(CheckState.RETRY) ? delayEnding : readyEvery != null;
    }
  }

  /** Decides for one entry by what is remembered of its last evaluation. */
  static Due of(OwnEntry<?> entry, Rechecks rechecks) {
    @Nullable Progress last = entry.memory().progress();
    @Nullable Progress known = last != null && last.basis().equals(entry.basis()) ? last : null;
    Phase phase = entry.phase();
    if (entry.isPending()) {
      // What is only observed is asked about what nothing waited for, too.
      boolean asked =
          entry.observes()
              ? phase.holdsReservation()
              : phase == Phase.RESERVED || (phase == Phase.QUEUED && entry.beforeQuota());
      return asked ? pending(entry, known) : new Never();
    }
    if (entry.observes()) {
      return new Never();
    }
    if (entry.isRecord()) {
      return phase == Phase.RESERVED ? new Now() : new Never();
    }
    if (entry.isReady()) {
      boolean rechecked =
          phase.holdsReservation() && !(phase == Phase.ADMITTED && rechecks.untilAdmission());
      return rechecked ? ready(entry, known, rechecks) : new Never();
    }
    if (entry.state().is(CheckState.RETRY)) {
      boolean lasts = !Integer.valueOf(0).equals(entry.state().requeueAfterSeconds());
      // What this process hasn't asked about may have been woken before it could be told.
      boolean wanted =
          lasts
              && (entry.parametersChanged()
                  || (rechecks.delayEnding() && (entry.woken() || last == null)));
      return phase == Phase.BACKOFF && wanted ? afterFailures(entry, known) : new Never();
    }
    return new Never();
  }

  private static Due pending(OwnEntry<?> entry, @Nullable Progress known) {
    if (known == null || (entry.woken() && !known.decided() && known.failures() == 0)) {
      return new Now();
    }
    return known.next() == null ? new Never() : at(known.next(), entry);
  }

  private static Due ready(OwnEntry<?> entry, @Nullable Progress known, Rechecks rechecks) {
    Duration every = rechecks.readyEvery();
    if (hasChanged(entry, rechecks)) {
      return known != null && known.next() != null && known.isUnanswered()
          ? at(known.next(), entry)
          : new Now();
    }
    if (every == null) {
      return new Never();
    }
    if (known != null && known.next() != null) {
      return entry.woken() && known.failures() == 0 ? new Now() : at(known.next(), entry);
    }
    return entry.woken() ? new Now() : at(entry.state().lastTransitionTime().plus(every), entry);
  }

  /**
   * Whether the Workload is another one than its Ready was about. Before the admission that makes
   * the Ready void; afterwards it concerns those checks that keep an eye on what runs. After a
   * restart they are asked once about what isn't admitted: it may have changed meanwhile.
   */
  private static boolean hasChanged(OwnEntry<?> entry, Rechecks rechecks) {
    boolean rechecked = rechecks.readyEvery() != null;
    @Nullable ReadySubject about = entry.memory().readyAbout();
    if (about == null) {
      return rechecked && entry.phase() == Phase.RESERVED;
    }
    return (rechecked || entry.phase() == Phase.RESERVED)
        && !about.equals(ReadySubject.of(entry.workload()));
  }

  /** In backoff only a failed evaluation has a time of its own. */
  private static Due afterFailures(OwnEntry<?> entry, @Nullable Progress known) {
    return known == null || known.next() == null ? new Now() : at(known.next(), entry);
  }

  private static Due at(Instant when, OwnEntry<?> entry) {
    return when.isAfter(entry.seen()) ? new At(when) : new Now();
  }
}
