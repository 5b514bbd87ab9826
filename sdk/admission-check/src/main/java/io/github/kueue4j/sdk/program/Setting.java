// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.sdk.Guards;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One value of {@link Guards} that operators can set.
 *
 * @param path its name in a file, levels separated by dots
 * @param reader reads its text; fails with an IllegalArgumentException if it is none
 * @param valid whether what was read is within bounds
 * @param remedy what to write instead
 */
record Setting<T>(String path, Function<String, T> reader, Predicate<T> valid, String remedy) {
  static final Setting<Duration> TIMEOUT = duration("timeout");
  static final Setting<Integer> MAX_CONCURRENT = number("maxConcurrentEvaluations");
  static final Setting<Integer> MAX_PER_SECOND = number("maxEvaluationsPerSecond");
  static final Setting<Integer> WINDOW = number("circuitBreaker.window");
  static final Setting<Integer> MINIMUM = number("circuitBreaker.minimum");
  static final Setting<Double> FAILURE_RATE =
      decimal(
          "circuitBreaker.failureRate",
          rate -> rate > 0 && rate <= 1,
          "a number above 0 and at most 1, such as 0.5");
  static final Setting<Duration> OPEN_FOR = duration("circuitBreaker.openFor");
  static final BackoffSettings ERROR_BACKOFF = BackoffSettings.of("errorBackoff");
  static final Setting<Duration> ERROR_BUDGET = duration("errorBudget");
  static final BackoffSettings AFTER_ERRORS = BackoffSettings.of("afterErrors");
  static final Setting<Duration> LONGEST_DELAY = duration("longestDelay");
  static final Setting<Duration> CONFIRM_AFTER = duration("revocations.confirmAfter");
  static final Setting<Integer> MOST_REVOCATIONS = number("revocations.most");
  static final Setting<Duration> REVOCATION_WINDOW = duration("revocations.window");

  static final List<Setting<?>> ALL =
      List.of(
          TIMEOUT,
          MAX_CONCURRENT,
          MAX_PER_SECOND,
          WINDOW,
          MINIMUM,
          FAILURE_RATE,
          OPEN_FOR,
          ERROR_BACKOFF.base(),
          ERROR_BACKOFF.factor(),
          ERROR_BACKOFF.max(),
          ERROR_BACKOFF.jitter(),
          ERROR_BUDGET,
          AFTER_ERRORS.base(),
          AFTER_ERRORS.factor(),
          AFTER_ERRORS.max(),
          AFTER_ERRORS.jitter(),
          LONGEST_DELAY,
          CONFIRM_AFTER,
          MOST_REVOCATIONS,
          REVOCATION_WINDOW);

  /** An exponential backoff. */
  record BackoffSettings(
      Setting<Duration> base,
      Setting<Double> factor,
      Setting<Duration> max,
      Setting<Double> jitter) {
    static BackoffSettings of(String path) {
      return new BackoffSettings(
          duration(path + ".base"),
          decimal(
              path + ".factor",
              factor -> factor >= 1 && Double.isFinite(factor),
              "a number of at least 1, such as 2"),
          duration(path + ".max"),
          decimal(
              path + ".jitter",
              jitter -> jitter >= 0 && jitter <= 1,
              "a number from 0 to 1, such as 0.2"));
    }
  }

  /** Its name in the environment: {@code errorBackoff.max} is {@code ..._ERROR_BACKOFF_MAX}. */
  String variable() {
    return GuardSettings.PREFIX
        + path.replaceAll("([A-Z])", "_$1").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static Setting<Duration> duration(String path) {
    return new Setting<>(
        path,
        GoDuration::parse,
        Duration::isPositive,
        "a duration above zero, such as 30s, 5m or 1h30m");
  }

  private static Setting<Integer> number(String path) {
    return new Setting<>(
        path, Integer::parseInt, number -> number >= 1, "a whole number of at least 1, such as 20");
  }

  private static Setting<Double> decimal(String path, Predicate<Double> valid, String remedy) {
    return new Setting<>(path, Double::parseDouble, valid, remedy);
  }
}
