// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The condition {@code BackendReachable}, for whichever object it stands on, and how often it is
 * written: it follows an outage, not each evaluation.
 */
final class BackendCondition {

  static final String TYPE = "BackendReachable";

  private static final String ANSWERED = "Answered";
  private static final String MESSAGE_ANSWERED = "The backend answered when it was last asked";

  /** Between two writes to one object. */
  private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(30);

  /** Between two writes that tell another cause of the same outage. */
  private static final Duration BETWEEN_CAUSES = Duration.ofMinutes(5);

  private final InstantSource wall;
  private final InstantSource steady;

  /** When each object's condition was last written, on the steady clock. */
  private final Map<ObjectKey, Instant> written = new ConcurrentHashMap<>();

  /**
   * Has written nothing yet.
   *
   * @param wall for what people read
   * @param steady for intervals
   */
  BackendCondition(InstantSource wall, InstantSource steady) {
    this.wall = wall;
    this.steady = steady;
  }

  /**
   * The conditions that an object should have.
   *
   * @param conditions to write, which may be those that it has
   * @param again when to look again, on the steady clock; absent: when something changes
   */
  record Next(List<Condition> conditions, @Nullable Instant again) {
    /** Whether the condition was told anew, compared with what the object has. */
    boolean tells(List<Condition> before) {
      return !Conditions.find(before, TYPE).equals(Conditions.find(conditions, TYPE));
    }
  }

  /**
   * The condition that follows from a standing.
   *
   * @param always whether it is told before there was any failure
   */
  Next next(
      ObjectKey key,
      @Nullable Long generation,
      List<Condition> before,
      BackendReach.Standing standing,
      boolean always) {
    @Nullable Condition old = Conditions.find(before, TYPE).orElse(null);
    Optional<Condition> wanted = wanted(standing, old, generation, always);
    if (wanted.isEmpty() || (old != null && saysTheSame(old, wanted.get()))) {
      return new Next(before, null);
    }
    boolean sameStatus = old != null && old.status().equals(wanted.get().status());
    Instant due = due(key, sameStatus ? BETWEEN_CAUSES : BETWEEN_CHANGES);
    return due.isAfter(steady.instant())
        ? new Next(before, due)
        : new Next(Conditions.set(before, wanted.get()), null);
  }

  /** Nothing asks for the object any more; empty if nothing was said before. */
  Optional<Condition> unused(
      List<Condition> before, String reason, String message, @Nullable Long generation) {
    return Conditions.find(before, TYPE)
        .map(
            old ->
                new Condition(
                    TYPE, Condition.UNKNOWN, reason, message, wall.instant(), generation));
  }

  /** The condition of this object has been written. */
  void written(ObjectKey key) {
    written.put(key, steady.instant());
  }

  private Instant due(ObjectKey key, Duration interval) {
    @Nullable Instant last = written.get(key);
    return last == null ? Instant.MIN : last.plus(interval);
  }

  private Optional<Condition> wanted(
      BackendReach.Standing standing,
      @Nullable Condition old,
      @Nullable Long generation,
      boolean always) {
    return switch (standing) {
      case BackendReach.Standing.Unknown unknown -> Optional.empty();
      case BackendReach.Standing.Answers answers ->
          old == null && !always
              ? Optional.empty()
              : Optional.of(
                  new Condition(
                      TYPE,
                      Condition.TRUE,
                      ANSWERED,
                      MESSAGE_ANSWERED,
                      wall.instant(),
                      generation));
      case BackendReach.Standing.Failing failing -> {
        // A controller that has just started doesn't know since when; the object does.
        Instant since = old != null && old.isFalse() ? old.lastTransitionTime() : failing.since();
        yield Optional.of(
            new Condition(
                TYPE,
                Condition.FALSE,
                failing.reason(),
                BackendReach.sentence(failing.cause(), since),
                since,
                generation));
      }
    };
  }

  private static boolean saysTheSame(Condition one, Condition other) {
    return one.status().equals(other.status())
        && one.reason().equals(other.reason())
        && one.message().equals(other.message());
  }
}
