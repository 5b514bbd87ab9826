// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reach of each check's backend: whether it answered when it was last asked, and if it didn't,
 * since when and why. It hears of every evaluation and probe, and tells only what has changed.
 *
 * <p>A failure that may be one workload's own says nothing about the backend until the circuit
 * breaker has opened by it.
 */
final class BackendReach implements AutoCloseable {

  /** The reason of a check whose author says that the backend can't answer. */
  static final String UNREACHABLE = "Unreachable";

  private static final String TIMED_OUT = "TimedOut";
  private static final String EVALUATIONS_FAIL = "EvaluationsFail";
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final CheckMetrics metrics;
  private final InstantSource time;
  private final Map<String, Known> byCheck = new ConcurrentHashMap<>();
  private final Map<String, Runnable> gauges = new ConcurrentHashMap<>();
  private volatile Consumer<String> changed = check -> {};
  private volatile boolean reported;

  /**
   * Knows of no backend.
   *
   * @param time for people: the clock of the cluster
   */
  BackendReach(CheckMetrics metrics, InstantSource time) {
    this.metrics = metrics;
    this.time = time;
  }

  /** The standing of a backend. */
  sealed interface Standing {

    /** It was not asked, or the check has none. */
    record Unknown() implements Standing {}

    /** It answered when it was last asked. */
    record Answers() implements Standing {}

    /**
     * It didn't answer.
     *
     * @param reason for machines
     * @param cause for people, without names of Java classes
     * @param since when it first didn't
     */
    record Failing(String reason, String cause, Instant since) implements Standing {
      boolean saysTheSameAs(Standing other) {
        return other instanceof Failing failing
            && failing.reason.equals(reason)
            && failing.cause.equals(cause);
      }
    }
  }

  /** The latest results of evaluations and probes; each absent: no failure. */
  private record Known(
      boolean answered, Standing.@Nullable Failing evaluation, Standing.@Nullable Failing probe) {
    static final Known NOTHING = new Known(false, null, null);

    Standing standing() {
      if (probe != null) {
        return probe;
      }
      if (evaluation != null) {
        return evaluation;
      }
      return answered ? new Standing.Answers() : new Standing.Unknown();
    }

    Instant failingSince(Instant now) {
      return standing() instanceof Standing.Failing failing ? failing.since() : now;
    }
  }

  /** Calls this with the name of the check whenever what is known of its backend changes. */
  void whenChanged(Consumer<String> listener) {
    changed = listener;
  }

  /** The author says each answer by itself: a verdict may be found without the backend. */
  void reportedByAuthor() {
    reported = true;
  }

  /** Whether the author says by itself what the backend answers. */
  boolean isReportedByAuthor() {
    return reported;
  }

  /** The backend answered. */
  void answered(String check) {
    update(check, known -> new Known(true, null, known.probe));
  }

  /**
   * An evaluation had a verdict, which says that the backend answered unless the author says so.
   */
  void judged(String check) {
    if (!reported) {
      answered(check);
    }
  }

  /** The backend didn't answer. */
  void failed(String check, Exception cause) {
    Instant now = time.instant();
    update(
        check,
        known ->
            new Known(
                known.answered,
                new Standing.Failing(reason(cause), cause(cause), known.failingSince(now)),
                known.probe));
  }

  /**
   * A probe came to this; one that finds nothing wrong may not have asked, unless it did before.
   */
  void probed(String check, BackendHealth health) {
    Instant now = time.instant();
    switch (health) {
      case BackendHealth.Down down ->
          update(
              check,
              known ->
                  new Known(
                      known.answered,
                      known.evaluation,
                      new Standing.Failing(
                          down.reason().value(),
                          ActiveCondition.cut(down.message()),
                          known.failingSince(now))));
      case BackendHealth.Up up -> {
        if (byCheck.getOrDefault(check, Known.NOTHING).probe != null) {
          update(check, known -> new Known(true, null, null));
        }
      }
    }
  }

  /** The check is gone, or asks something else from now on. */
  void forget(String check) {
    byCheck.remove(check);
    @Nullable Runnable gauge = gauges.remove(check);
    if (gauge != null) {
      gauge.run();
    }
  }

  Standing of(String check) {
    return byCheck.getOrDefault(check, Known.NOTHING).standing();
  }

  /** Why and since when the backend doesn't answer, as a sentence without its end. */
  Optional<String> trouble(String check) {
    return of(check) instanceof Standing.Failing failing
        ? Optional.of(sentence(failing.cause(), failing.since()))
        : Optional.empty();
  }

  /** {@code PROM can't be reached, since 2026-06-01 12:04 UTC}. */
  static String sentence(String cause, Instant since) {
    String whole = cause.endsWith(".") ? cause.substring(0, cause.length() - 1) : cause;
    return whole + ", since " + MINUTE.format(since);
  }

  private interface Change {
    Known of(Known before);
  }

  private void update(String check, Change change) {
    Standing[] before = new Standing[1];
    Known after =
        byCheck.compute(
            check,
            (name, known) -> {
              Known old = known == null ? Known.NOTHING : known;
              before[0] = old.standing();
              return change.of(old);
            });
    if (isWorthAGauge(after.standing())) {
      gauges.computeIfAbsent(
          check, name -> metrics.backend(name, () -> of(name) instanceof Standing.Failing ? 0 : 1));
    }
    if (!same(before[0], after.standing())) {
      changed.accept(check);
    }
  }

  /** A check that never met trouble, and doesn't say that it has a backend, has none to show. */
  private boolean isWorthAGauge(Standing standing) {
    return reported || standing instanceof Standing.Failing;
  }

  private static boolean same(Standing one, Standing other) {
    return one instanceof Standing.Failing failing
        ? failing.saysTheSameAs(other)
        : one.equals(other);
  }

  private static String reason(Exception cause) {
    if (unavailable(cause).isPresent()) {
      return UNREACHABLE;
    }
    return cause instanceof TimeoutException ? TIMED_OUT : EVALUATIONS_FAIL;
  }

  private static String cause(Exception cause) {
    return PlainWords.of(unavailable(cause).<Throwable>map(found -> found).orElse(cause));
  }

  /**
   * The exception about the backend, which an author may have wrapped to say that it may be one
   * workload's own.
   */
  private static Optional<BackendUnavailableException> unavailable(Exception failure) {
    @Nullable Throwable one = failure;
    for (int depth = 0; one != null && depth < 8; depth++) {
      if (one instanceof BackendUnavailableException found) {
        return Optional.of(found);
      }
      one = one.getCause();
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    gauges.values().forEach(Runnable::run);
    gauges.clear();
  }
}
