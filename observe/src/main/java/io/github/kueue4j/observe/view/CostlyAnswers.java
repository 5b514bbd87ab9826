// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers that take their time, such as forecasts. One is computed at a time, and after it none for
 * four times as long, so that they take at most a fifth of a processor; each serves for a while.
 * Thread-safe.
 *
 * @param <K> what is asked about
 * @param <V> the answer
 */
final class CostlyAnswers<K, V> {
  private static final int KEPT = 100;
  private static final int REST = 4;
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);

  /** The most requests that wait; they take threads from all other requests. */
  private static final int MOST_WAITING = 4;

  private final String what;
  private final Duration keptFor;
  private final Function<K, V> answers;
  private final InstantSource clock;
  private final InstantSource wireTime;
  private final Duration patience;
  private final Semaphore place = new Semaphore(1, true);

  // Guarded by this; the oldest first.
  private final Map<K, TimedAnswer<V>> known = new LinkedHashMap<>();

  // Written by the one that computes.
  private volatile Instant restUntil = Instant.EPOCH;

  /** An answer with its time by the core's clock. */
  record TimedAnswer<V>(Instant time, V value) {}

  /**
   * Answers of the core.
   *
   * @param what one is, for messages
   * @param keptFor for how long one serves, by the core's clock
   * @param answers computes one, which takes its time
   * @param clock the core's
   * @param wireTime for how long it takes
   * @param patience for how long a request waits for its turn, in wire time
   */
  CostlyAnswers(
      String what,
      Duration keptFor,
      Function<K, V> answers,
      InstantSource clock,
      InstantSource wireTime,
      Duration patience) {
    this.what = what;
    this.keptFor = keptFor;
    this.answers = answers;
    this.clock = clock;
    this.wireTime = wireTime;
    this.patience = patience;
  }

  /**
   * The answer about this, a fresh one unless the last one still serves.
   *
   * @throws ViewProblem if others are being computed for too long, too many wait for their turn, or
   *     the last one took long
   */
  TimedAnswer<V> of(K subject) {
    TimedAnswer<V> recent = recent(subject);
    if (recent != null) {
      return recent;
    }
    takeTurn();
    try {
      TimedAnswer<V> meanwhile = recent(subject);
      if (meanwhile != null) {
        return meanwhile;
      }
      checkRest();
      TimedAnswer<V> fresh = computed(subject);
      keep(subject, fresh);
      return fresh;
    } finally {
      place.release();
    }
  }

  private TimedAnswer<V> computed(K subject) {
    Instant begin = wireTime.instant();
    try {
      return new TimedAnswer<>(clock.instant(), answers.apply(subject));
    } finally {
      Instant end = wireTime.instant();
      Duration rest = Duration.between(begin, end).multipliedBy(REST);
      restUntil = end.plus(rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest);
    }
  }

  private void checkRest() {
    Duration left = Duration.between(wireTime.instant(), restUntil);
    if (left.isPositive()) {
      throw new ViewProblem(
          503,
          "the last %s took long, so the next waits a while to leave time to the scheduler; ask again in %d s"
              .formatted(what, left.toSeconds() + 1));
    }
  }

  private void takeTurn() {
    try {
      if (place.getQueueLength() < MOST_WAITING
          && place.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewProblem(503, "the request took too long or the core ends");
    }
    throw new ViewProblem(
        503,
        "another %s is being computed, and one at a time is; ask again in some seconds"
            .formatted(what));
  }

  private synchronized @Nullable TimedAnswer<V> recent(K subject) {
    Instant now = clock.instant();
    known.values().removeIf(each -> !now.isBefore(each.time().plus(keptFor)));
    return known.get(subject);
  }

  private synchronized void keep(K subject, TimedAnswer<V> answer) {
    known.put(subject, answer);
    if (known.size() > KEPT) {
      known.remove(known.keySet().iterator().next());
    }
  }
}
