// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.sdk.internal.fence.Reservation;
import io.github.kueue4j.sdk.internal.fence.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Time stands still at {@link #NOW}; a second passes by moving every date of a world a second into
 * the past. So worlds that differ only in the hour are one, and there is an end to all worlds.
 *
 * <p>Dates in the past that are further apart than {@link Rules#gap} are moved together to that
 * distance. They keep their order, and nothing tells the difference: rules compare dates, after
 * adding no more than that.
 */
final class Times {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** Where each date goes, by seconds from now. */
  private final int[] from;

  private final int[] to;

  private Times(int[] from, int[] to) {
    this.from = from;
    this.to = to;
  }

  static int seconds(Instant instant) {
    return Math.toIntExact(instant.getEpochSecond() - NOW.getEpochSecond());
  }

  private static boolean isLongAgo(Instant instant) {
    return !instant.isAfter(Essence.LONG_AGO);
  }

  /** The dates of a world. */
  static final class Dates {
    private int[] seconds = new int[24];
    private int size;

    void add(@Nullable Instant instant) {
      if (instant != null && !isLongAgo(instant)) {
        if (size == seconds.length) {
          seconds = Arrays.copyOf(seconds, 2 * size);
        }
        seconds[size++] = Times.seconds(instant);
      }
    }

    void add(@Nullable Workload workload) {
      if (workload == null) {
        return;
      }
      for (Condition condition : workload.status().conditions()) {
        if (Essence.isDated(condition)) {
          add(condition.lastTransitionTime());
        }
      }
      for (AdmissionCheckState entry : workload.status().admissionChecks()) {
        add(entry.lastTransitionTime());
      }
      RequeueState requeue = workload.status().requeueState();
      if (requeue != null) {
        add(requeue.requeueAt());
      }
    }

    void add(@Nullable ObservedEntries observedEntries) {
      if (observedEntries == null) {
        return;
      }
      observedEntries.retries().values().forEach(this::add);
      for (ObservedEntries.Wait wait : observedEntries.waits().values()) {
        add(wait.identity());
        add(wait.since());
      }
      for (Set<ObservedEntries.Retry> recorded : observedEntries.unconfirmed().values()) {
        recorded.forEach(this::add);
      }
    }

    private void add(ObservedEntries.Retry retry) {
      add(retry.identity());
      add(retry.base());
    }

    void add(@Nullable Token token) {
      if (token != null) {
        add(token.reservation().since());
        add(token.entry().lastTransitionTime());
      }
    }

    /** How they are moved when a second passes; null if they all stay. */
    @Nullable Times later(int gap) {
      int[] sorted = Arrays.copyOf(seconds, size);
      Arrays.sort(sorted);
      int distinct = 0;
      for (int i = 0; i < size; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
          sorted[distinct++] = sorted[i];
        }
      }
      int[] from = Arrays.copyOf(sorted, distinct);
      int[] to = new int[distinct];
      boolean moved = false;
      int next = 0;
      int nextWas = 0;
      for (int i = distinct - 1; i >= 0; i--) {
        int was = from[i] - 1;
        to[i] = was >= 0 ? was : next - Math.min(nextWas - was, gap);
        moved |= to[i] != from[i];
        next = Math.min(0, to[i]);
        nextWas = Math.min(0, was);
      }
      return moved ? new Times(from, to) : null;
    }
  }

  private Instant move(Instant instant) {
    if (isLongAgo(instant)) {
      return instant;
    }
    int was = seconds(instant);
    int place = Arrays.binarySearch(from, was);
    return instant.plusSeconds((long) to[place] - was);
  }

  private @Nullable Instant moveOrNull(@Nullable Instant instant) {
    return instant == null ? null : move(instant);
  }

  Workload move(Workload workload) {
    WorkloadStatus status = workload.status();
    List<Condition> conditions = new ArrayList<>(status.conditions());
    conditions.replaceAll(
        condition ->
            Essence.isDated(condition)
                ? condition.withLastTransitionTime(move(condition.lastTransitionTime()))
                : condition);
    List<AdmissionCheckState> entries = new ArrayList<>(status.admissionChecks());
    entries.replaceAll(entry -> entry.withLastTransitionTime(move(entry.lastTransitionTime())));
    RequeueState requeue = status.requeueState();
    return workload.withStatus(
        status
            .withConditions(conditions)
            .withAdmissionChecks(entries)
            .withRequeueState(
                requeue == null
                    ? null
                    : new RequeueState(requeue.count(), moveOrNull(requeue.requeueAt()))));
  }

  ObservedEntries move(ObservedEntries observedEntries) {
    SortedMap<String, ObservedEntries.Retry> retries = new TreeMap<>();
    observedEntries.retries().forEach((name, retry) -> retries.put(name, move(retry)));
    SortedMap<String, ObservedEntries.Wait> waits = new TreeMap<>();
    observedEntries
        .waits()
        .forEach(
            (name, wait) ->
                waits.put(
                    name, new ObservedEntries.Wait(move(wait.identity()), move(wait.since()))));
    SortedMap<String, Set<ObservedEntries.Retry>> unconfirmed = new TreeMap<>();
    observedEntries
        .unconfirmed()
        .forEach(
            (name, recorded) ->
                unconfirmed.put(
                    name, recorded.stream().map(this::move).collect(Collectors.toSet())));
    return new ObservedEntries(observedEntries.restarted(), retries, waits, unconfirmed);
  }

  private ObservedEntries.Retry move(ObservedEntries.Retry retry) {
    return new ObservedEntries.Retry(move(retry.identity()), move(retry.base()));
  }

  Token move(Token token) {
    Reservation reservation = token.reservation();
    return new Token(
        token.uid(),
        new Reservation(
            reservation.quotaReserved(),
            move(reservation.since()),
            reservation.admission(),
            reservation.generation()),
        new Token.Entry(
            token.entry().state(),
            move(token.entry().lastTransitionTime()),
            token.entry().retryCount()));
  }

  /** Whole seconds from now until {@code instant}, rounded up; 0 if it has passed. */
  static int until(Instant instant) {
    Duration left = Duration.between(NOW, instant);
    return left.isNegative() ? 0 : Math.toIntExact(left.plusMillis(999).toSeconds());
  }
}
