// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a verdict may still be written, and what exactly ({@code
 * docs/lifecycle.md#the-side-of-the-checks}).
 *
 * <p>In order: nothing is written to a workload that is deleted, finished, deactivated or no longer
 * asks the check. For the same reservation and the same entry everything is written, except that an
 * answer about what wasn't admitted doesn't take the same Workload's Ready back once it is: whether
 * and how carefully what runs is stopped is another question. If the entry is still the same while
 * the workload is being evicted or waits in backoff, a Retry or Rejected still counts. Anything
 * else is another round: the verdict is dropped, and a verdict that carried a decision is asked for
 * anew.
 *
 * <p>Before quota, the question is what the condition QuotaReserved=False says while the core asks
 * ({@link CheckStage#asks}): about the spec as it is now. Each question has an entry of its own
 * date.
 *
 * <p>The same rules are safe against a queue controller that resets entries when it evicts: there
 * the entry no longer matches.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Fence {

  private static final int LONGEST_MESSAGE = 32768;
  private static final String CUT = " ...";

  private Fence() {}

  /**
   * Decides about one verdict.
   *
   * @param check the name of the AdmissionCheck
   * @param token what the evaluation saw when it started: with quota reserved, or asked before it
   * @param newest the newest object; absent if the workload is gone
   * @param overAdmission whether it takes back the Ready of what was admitted since it was asked
   *     for
   * @param verdict a Retry's delay must be resolved: {@link Delay.None} or {@link Delay.Exact}
   * @param now on the writer's clock
   * @throws IllegalArgumentException if a Retry's delay is not resolved
   */
  public static Decision decide(
      String check,
      Token token,
      @Nullable Workload newest,
      boolean overAdmission,
      Verdict verdict,
      Instant now) {
    Cause gone = gone(check, token, newest);
    if (newest == null || gone != null) {
      return new Decision.Drop(Objects.requireNonNull(gone));
    }
    Phase phase = Phase.of(newest);
    AdmissionCheckState entry = newest.status().admissionCheck(check).orElseThrow();
    Reservation reservation = Reservation.of(newest);
    Stamp stamp = new Stamp(now, reservation.since());
    boolean sameEntry = token.entry().equals(Token.Entry.of(entry));
    if (sameEntry && phase.holdsReservation() && reservation.equals(token.reservation())) {
      if (phase == Phase.ADMITTED && !overAdmission && takesBack(entry, verdict)) {
        return new Decision.DropAndEvaluateAnew(Cause.ADMITTED);
      }
      return write(entry, inReservation(entry, verdict, phase == Phase.RESERVED, stamp));
    }
    if (sameEntry
        && phase == Phase.QUEUED
        && CheckStage.asks(newest)
        && reservation.equals(token.reservation())) {
      return write(entry, beforeQuota(entry, verdict, stamp.since(entry.lastTransitionTime())));
    }
    if (sameEntry && lateVerdictCounts(token, phase, reservation)) {
      return late(entry, verdict, stamp);
    }
    return outOfDate(token, phase, reservation, verdict);
  }

  /**
   * Decides about the end of a delay of the check's own. The entry stays a Retry, so that the
   * delays of other checks still hold.
   *
   * @param check the name of the AdmissionCheck
   * @param token what was seen when it was asked: the Retry, in its backoff
   * @param newest the newest object; absent if the workload is gone
   * @param why for people
   */
  public static Decision endDelay(
      String check, Token token, @Nullable Workload newest, String why) {
    Cause gone = gone(check, token, newest);
    if (newest == null || gone != null) {
      return new Decision.Drop(Objects.requireNonNull(gone));
    }
    Phase phase = Phase.of(newest);
    if (phase != Phase.BACKOFF) {
      return new Decision.Drop(
          phase == Phase.QUEUED || phase == Phase.EVICTING
              ? Cause.NOT_RESERVED
              : Cause.OTHER_RESERVATION);
    }
    if (!Reservation.of(newest).since().equals(token.reservation().since())) {
      return new Decision.Drop(Cause.OTHER_RESERVATION);
    }
    AdmissionCheckState entry = newest.status().admissionCheck(check).orElseThrow();
    if (!token.entry().equals(Token.Entry.of(entry))) {
      return entry.is(CheckState.RETRY)
          ? new Decision.DropAndEvaluateAnew(Cause.BASE_RECORDED)
          : new Decision.Drop(Cause.ENTRY_RESET);
    }
    return write(entry, entry.withMessage(cut(why)).withRequeueAfterSeconds(0));
  }

  /**
   * The entry after a verdict on a Workload that waits, if nothing has changed since the question.
   *
   * @param verdict a Retry's delay must be resolved
   * @throws IllegalArgumentException if a Retry's delay is not resolved
   */
  public static AdmissionCheckState undisturbed(
      AdmissionCheckState entry, Verdict verdict, Instant now) {
    return inReservation(entry, verdict, true, new Stamp(now, entry.lastTransitionTime()));
  }

  /** Why nothing is written to the workload at all; null if there is no such reason. */
  private static @Nullable Cause gone(String check, Token token, @Nullable Workload newest) {
    if (newest == null || !token.uid().equals(newest.metadata().getUid())) {
      return Cause.DELETED;
    }
    return switch (Phase.of(newest)) {
      case DELETING -> Cause.DELETED;
      case FINISHED -> Cause.FINISHED;
      case DEACTIVATED -> Cause.DEACTIVATED;
      case EVICTING, ADMITTED, RESERVED, BACKOFF, QUEUED ->
          newest.status().admissionCheck(check).isEmpty() ? Cause.CHECK_REMOVED : null;
    };
  }

  /**
   * Whether the workload is being evicted from the reservation that was judged, or waits in
   * backoff. Evicting from another reservation is another round, even if an implementation left the
   * entry as it was. What was asked before quota is about one spec.
   */
  private static boolean lateVerdictCounts(Token token, Phase phase, Reservation reservation) {
    boolean same = reservation.equals(token.reservation());
    return phase == Phase.BACKOFF
        ? same || token.reservation().quotaReserved()
        : same && phase == Phase.EVICTING;
  }

  /** Whether a core that admitted by this entry would evict for the verdict. */
  private static boolean takesBack(AdmissionCheckState entry, Verdict verdict) {
    return entry.is(CheckState.READY)
        && (verdict instanceof Verdict.Retry || verdict instanceof Verdict.Rejected);
  }

  private static AdmissionCheckState inReservation(
      AdmissionCheckState entry, Verdict verdict, boolean waits, Stamp stamp) {
    return switch (verdict) {
      case Verdict.Ready ready ->
          answered(entry, CheckState.READY, ready.message(), null, stamp)
              .withPodSetUpdates(ready.updates());
      case Verdict.Retry retry -> retried(entry, retry, stamp);
      case Verdict.Rejected rejected ->
          answered(entry, CheckState.REJECTED, rejected.message(), null, stamp);
      // A Ready is taken back by Retry or Rejected only: Pending would neither evict the workload
      // nor say anything to a queue controller that has admitted it. A record of an answer is no
      // Ready, as long as nothing was admitted with it.
      case Verdict.Pending pending ->
          entry.is(CheckState.PENDING) || (waits && ObservedAnswer.of(entry).isPresent())
              ? answered(entry, CheckState.PENDING, pending.message(), null, stamp)
                  .withPreemptionRequested(
                      pending.preemptionRequested() ? Boolean.TRUE : entry.preemptionRequested())
              : entry;
      case Verdict.Unchanged unchanged ->
          entry.is(CheckState.PENDING) ? entry.withMessage(cut(unchanged.why())) : entry;
    };
  }

  /** The entry before quota; a verdict that is only about a reservation has no place there. */
  private static AdmissionCheckState beforeQuota(
      AdmissionCheckState entry, Verdict verdict, Stamp stamp) {
    return inReservation(entry, verdict, false, stamp)
        .withPodSetUpdates(List.of())
        .withPreemptionRequested(null);
  }

  private static Decision late(AdmissionCheckState entry, Verdict verdict, Stamp stamp) {
    return switch (verdict) {
      case Verdict.Retry retry -> write(entry, retried(entry, retry, stamp));
      case Verdict.Rejected rejected ->
          write(entry, answered(entry, CheckState.REJECTED, rejected.message(), null, stamp));
      case Verdict.Ready ready -> new Decision.Drop(Cause.EVICTED);
      case Verdict.Pending pending -> new Decision.Drop(Cause.EVICTED);
      case Verdict.Unchanged unchanged -> new Decision.Drop(Cause.EVICTED);
    };
  }

  private static Decision outOfDate(
      Token token, Phase phase, Reservation reservation, Verdict verdict) {
    Cause cause;
    if (phase == Phase.EVICTING) {
      cause = Cause.EVICTED;
    } else if (!phase.holdsReservation()) {
      cause = Cause.NOT_RESERVED;
    } else if (reservation.equals(token.reservation())) {
      cause = Cause.ENTRY_RESET;
    } else {
      cause = Cause.OTHER_RESERVATION;
    }
    return switch (verdict) {
      case Verdict.Retry retry -> new Decision.DropAndEvaluateAnew(cause);
      case Verdict.Rejected rejected -> new Decision.DropAndEvaluateAnew(cause);
      case Verdict.Ready ready -> new Decision.DropAndEvaluateAnew(cause);
      case Verdict.Pending pending -> new Decision.Drop(cause);
      case Verdict.Unchanged unchanged -> new Decision.Drop(cause);
    };
  }

  private static AdmissionCheckState retried(
      AdmissionCheckState entry, Verdict.Retry retry, Stamp stamp) {
    Integer seconds =
        switch (retry.delay()) {
          case Delay.None none -> null;
          case Delay.Exact exact -> wholeSeconds(exact.duration());
          case Delay.From from ->
              throw new IllegalArgumentException(
                  "the delay of a Retry must be resolved before it reaches the fence");
        };
    return answered(entry, CheckState.RETRY, retry.message(), seconds, stamp);
  }

  private static int wholeSeconds(Duration duration) {
    return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
  }

  /** Overwrites what a check owns; retryCount belongs to the queue controller. */
  private static AdmissionCheckState answered(
      AdmissionCheckState entry,
      CheckState state,
      String message,
      @Nullable Integer requeueAfterSeconds,
      Stamp stamp) {
    return entry
        .withState(state)
        .withLastTransitionTime(entry.is(state) ? entry.lastTransitionTime() : stamp.time())
        .withMessage(cut(message))
        .withRequeueAfterSeconds(requeueAfterSeconds)
        .withPodSetUpdates(List.of());
  }

  private static Decision write(AdmissionCheckState before, AdmissionCheckState after) {
    return Objects.equals(before, after) ? new Decision.Keep() : new Decision.Write(before, after);
  }

  private static String cut(String message) {
    if (message.length() <= LONGEST_MESSAGE) {
      return message;
    }
    int end = LONGEST_MESSAGE - CUT.length();
    if (Character.isHighSurrogate(message.charAt(end - 1))) {
      end--;
    }
    return message.substring(0, end) + CUT;
  }

  /** The time that a transition gets: never before the reservation, whatever the clocks say. */
  private record Stamp(Instant now, Instant since) {
    Instant time() {
      Instant second = now.truncatedTo(ChronoUnit.SECONDS);
      return second.isAfter(since) ? second : since;
    }

    /** The same, and not before this date either. */
    Stamp since(Instant date) {
      return date.isAfter(since) ? new Stamp(now, date) : this;
    }
  }
}
