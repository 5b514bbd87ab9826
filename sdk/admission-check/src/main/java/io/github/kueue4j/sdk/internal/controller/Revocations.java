// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.Guards;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules whether a Ready may be taken back now, by the {@link Guards.RevocationLimits}. Owns what
 * each AdmissionCheck has ended of late; the first answer about a Workload is kept with what else
 * is remembered of it ({@link Progress}).
 */
final class Revocations {

  private final Guards.@Nullable RevocationLimits limits;
  private final InstantSource steady;
  private final Map<String, Ended> byCheck = new ConcurrentHashMap<>();

  /**
   * Nothing has ended yet.
   *
   * @param limits absent: whatever a check says holds at once
   * @param steady a clock that isn't set
   */
  Revocations(Guards.@Nullable RevocationLimits limits, InstantSource steady) {
    this.limits = limits;
    this.steady = steady;
  }

  /** Why a Ready isn't taken back yet. The label names it in metrics. */
  enum Obstacle {
    /** It was said once. */
    UNCONFIRMED("unconfirmed"),
    /** The check has ended as many Workloads as it may. */
    HELD_BACK("held_back");

    private final String label;

    Obstacle(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /**
   * The answer of a check against a Workload that it let through.
   *
   * @param state Retry or Rejected
   * @param since when it was said first, on the steady clock
   * @param told the obstacle that the Workload's owner was told of last
   */
  record Doubt(CheckState state, Instant since, @Nullable Obstacle told) {
    Doubt withTold(Obstacle obstacle) {
      return new Doubt(state, since, obstacle);
    }
  }

  /** The ruling on an answer that takes a Ready back. */
  sealed interface Ruling {
    /**
     * It may be written.
     *
     * @param counted whether it was counted, and has to be given back if it isn't written
     */
    record Allowed(boolean counted) implements Ruling {}

    /**
     * Not yet.
     *
     * @param in when to ask again, positive
     */
    record Wait(Doubt doubt, Obstacle obstacle, Duration in) implements Ruling {}
  }

  /**
   * Rules about one answer.
   *
   * @param before what was said before, about the same reservation; absent: nothing
   * @param says the state that the answer would give the entry: Retry or Rejected
   * @param running whether it ends something that runs
   */
  Ruling rule(String check, @Nullable Doubt before, CheckState says, boolean running) {
    if (limits == null) {
      return new Ruling.Allowed(false);
    }
    Instant now = steady.instant();
    Doubt doubt =
        before != null && before.state().equals(says) ? before : new Doubt(says, now, null);
    Duration left = limits.confirmAfter().minus(Duration.between(doubt.since(), now));
    if (left.isPositive()) {
      return new Ruling.Wait(doubt, Obstacle.UNCONFIRMED, left);
    }
    if (!running) {
      return new Ruling.Allowed(false);
    }
    Duration full = byCheck.computeIfAbsent(check, name -> new Ended()).take(limits, now);
    return full.isPositive()
        ? new Ruling.Wait(doubt, Obstacle.HELD_BACK, full)
        : new Ruling.Allowed(true);
  }

  /** Gives back the last count for this check, since the answer has not been written. */
  void giveBack(String check) {
    @Nullable Ended ended = byCheck.get(check);
    if (ended != null) {
      ended.giveBack();
    }
  }

  /** When one AdmissionCheck has ended something, the longest ago first. */
  private static final class Ended {
    private final Deque<Instant> times = new ArrayDeque<>();

    /** Counts one more; if there are too many, how long until one may be counted. */
    synchronized Duration take(Guards.RevocationLimits limits, Instant now) {
      while (!times.isEmpty() && !times.getFirst().plus(limits.window()).isAfter(now)) {
        times.removeFirst();
      }
      if (times.size() < limits.most()) {
        times.addLast(now);
        return Duration.ZERO;
      }
      return Duration.between(now, times.getFirst().plus(limits.window()));
    }

    synchronized void giveBack() {
      times.pollLast();
    }
  }
}
