// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.lifecycle.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** The worlds that are explored. */
final class Worlds {
  private static final LifecycleSettings DEFAULTS = LifecycleSettings.defaults();

  private static final List<Rules> ALL =
      List.of(
          Rules.of("one naive check", "naive").verdicts(2).with(Trouble.CRASH, 1),
          Rules.of("a round", "sdk", "naive").verdicts(1, 1).with(Trouble.CRASH, 1),
          Rules.of("late verdicts", "sdk", "naive").verdicts(2, 2).with(Trouble.CRASH, 1),
          Rules.of("three checks", "sdk", "wake", "naive").verdicts(1, 1, 1),
          Rules.of("wake-ups", "wake", "naive").verdicts(3, 1).with(Trouble.CRASH, 1),
          Rules.of("late looks", "naive").delays(4).verdicts(2).with(Trouble.CRASH, 1),
          Rules.of("stale plans", "sdk", "naive")
              .verdicts(1, 2)
              .with(Trouble.SLOW, 2)
              .with(Trouble.CRASH, 1),
          Rules.of("lost answers", "naive")
              .delays(5)
              .skews(0, -3)
              .verdicts(2)
              .with(Trouble.REPEATED_DATE, Trouble.UNBOUNDED)
              .with(Trouble.LOST, 2),
          Rules.of("refused patches", "naive")
              .delays(5)
              .skews(-3)
              .verdicts(3)
              .with(Trouble.REPEATED_DATE, Trouble.UNBOUNDED)
              .with(Trouble.SLOW, 1),
          Rules.of("lost and late", "naive")
              .delays(5)
              .skews(0, -3)
              .verdicts(2)
              .with(Trouble.REPEATED_DATE, Trouble.UNBOUNDED)
              .with(Trouble.LOST, 1)
              .with(Trouble.SLOW, 1),
          Rules.of("lost answers to timeouts", "sdk")
              .delays(Rules.NO_DELAY, 3)
              .pendingTimeout(2)
              .policies(RetryPolicy.backoff(Duration.ofSeconds(3), 2, Duration.ofSeconds(6)))
              .verdicts(1)
              .with(Trouble.TIMEOUT, 2)
              .with(Trouble.LOST, 2),
          Rules.of("a restless user", "sdk", "naive")
              .verdicts(1, 2)
              .with(Trouble.USER, 2)
              .with(Trouble.SLOW, 1),
          Rules.of("rejections", "sdk", "naive")
              .delays(2)
              .verdicts(2, 2)
              .with(Trouble.USER, 1)
              .with(Trouble.CRASH, 1),
          Rules.of("limit", "naive")
              .verdicts(2)
              .with(Trouble.LIMIT, 1)
              .with(Trouble.USER, 1)
              .with(Trouble.CRASH, 1)
              .with(Trouble.SLOW, 1),
          Rules.of("queues", "sdk", "naive")
              .verdicts(1, 2)
              .with(Trouble.QUEUE, 2)
              .with(Trouble.QUEUE_GONE, 1),
          Rules.of("preemption and pods", "sdk", "naive")
              .verdicts(1, 2)
              .with(Trouble.PREEMPT, 1)
              .with(Trouble.PODS, 2),
          Rules.of("pods-ready timeouts", "naive").verdicts(1).with(Trouble.PODS, 2),
          Rules.of("pods come and go", "naive")
              .verdicts(1)
              .with(Trouble.PODS, 3)
              .with(Trouble.USER, 1)
              .with(Trouble.SLOW, 1)
              .with(Trouble.CRASH, 1),
          Rules.of("old dates", "naive").delays(3).skews(0, -3).verdicts(2),
          Rules.of("assignment", "sdk", "naive")
              .flavored()
              .verdicts(1, 2)
              .with(Trouble.FLAVOR, 1)
              .with(Trouble.VICTIMS, 1)
              .with(Trouble.PREEMPT, 1),
          Rules.of("checks come and go", "naive", "sdk").verdicts(2, 2).with(Trouble.CHECKS, 2),
          Rules.of("observed from time to time", "naive", "sdk")
              .verdicts(1, 2)
              .with(Trouble.MODE, 3)
              .with(Trouble.CRASH, 1),
          Rules.of("a naive check is observed", "sdk", "naive")
              .verdicts(1, 3)
              .with(Trouble.MODE, 3)
              .with(Trouble.CHECKS, 1)
              .with(Trouble.SLOW, 1),
          Rules.of("only an observed check", "naive")
              .pendingTimeout(2)
              .verdicts(3)
              .with(Trouble.MODE, 2)
              .with(Trouble.TIMEOUT, 1)
              .with(Trouble.USER, 1),
          Rules.of("asked before quota", "sdk-before", "naive")
              .verdicts(2, 1)
              .with(Trouble.BEFORE_QUOTA, 2)
              .with(Trouble.CRASH, 1),
          Rules.of("two checks before quota", "sdk-before", "wake-before")
              .verdicts(2, 2)
              .with(Trouble.BEFORE_QUOTA, 1)
              .with(Trouble.SLOW, 1),
          Rules.of("a naive check before quota", "sdk", "naive-before")
              .verdicts(1, 2)
              .with(Trouble.BEFORE_QUOTA, 2)
              .with(Trouble.MODE, 1),
          Rules.of("a queue goes before quota", "sdk-before")
              .verdicts(1)
              .with(Trouble.BEFORE_QUOTA, 3)
              .with(Trouble.QUEUE_GONE, 1)
              .with(Trouble.CHECKS, 1),
          Rules.of("before quota on a restless queue", "sdk-before")
              .verdicts(2)
              .with(Trouble.BEFORE_QUOTA, 2)
              .with(Trouble.QUEUE, 2)
              .with(Trouble.PREEMPT, 1)
              .with(Trouble.USER, 1),
          Rules.of("in order", "sdk", "naive")
              .asking("naive", "sdk")
              .verdicts(1, 2)
              .with(Trouble.CRASH, 1),
          Rules.of("an order that comes and goes", "naive", "sdk")
              .asking("naive", "sdk")
              .verdicts(1, 1)
              .with(Trouble.MODE, 2)
              .with(Trouble.CHECKS, 1)
              .with(Trouble.SLOW, 1),
          Rules.of("in order, with timeouts", "sdk", "naive")
              .asking("naive", "sdk")
              .pendingTimeout(2)
              .delays(Rules.NO_DELAY)
              .verdicts(1, 1)
              .with(Trouble.TIMEOUT, 2)
              .with(Trouble.USER, 1),
          Rules.of("in order before quota", "sdk-before", "wake-before")
              .asking("wake-before", "sdk-before")
              .verdicts(1, 2)
              .with(Trouble.BEFORE_QUOTA, 1)
              .with(Trouble.QUEUE, 1),
          Rules.of("one of two", "sdk", "naive")
              .anyOf("sdk", "naive")
              .verdicts(2, 2)
              .with(Trouble.CRASH, 1),
          Rules.of("one of two, and another", "naive", "sdk", "wake")
              .anyOf("naive", "sdk")
              .verdicts(1, 1, 1)
              .with(Trouble.PREEMPT, 1),
          Rules.of("one of three", "naive", "sdk", "wake")
              .anyOf("naive", "sdk", "wake")
              .verdicts(1, 1, 1),
          Rules.of("alternatives come and go", "naive", "sdk")
              .anyOf("naive", "sdk")
              .verdicts(2, 1)
              .with(Trouble.MODE, 2)
              .with(Trouble.CHECKS, 1)
              .with(Trouble.SLOW, 1),
          Rules.of("alternatives on some flavors", "naive", "sdk")
              .anyOf("naive", "sdk")
              .flavored()
              .verdicts(2, 1)
              .with(Trouble.QUEUE, 1)
              .with(Trouble.USER, 1),
          Rules.of("alternatives after another", "sdk", "naive", "wake")
              .anyOf("sdk", "naive")
              .asking("sdk", "wake")
              .verdicts(1, 2, 1),
          Rules.of("another after alternatives", "sdk", "naive", "wake")
              .anyOf("sdk", "naive")
              .asking("wake", "naive")
              .verdicts(1, 2, 1),
          Rules.of("alternatives that never answer", "sdk", "naive")
              .anyOf("sdk", "naive")
              .pendingTimeout(2)
              .delays(Rules.NO_DELAY)
              .verdicts(1, 1)
              .with(Trouble.TIMEOUT, 2)
              .with(Trouble.USER, 1),
          Rules.of("limited alternatives", "sdk", "naive")
              .anyOf("sdk", "naive")
              .maxRetries(1)
              .delays(2)
              .verdicts(2, 2)
              .with(Trouble.USER, 1),
          Rules.of("clocks that are off", "sdk", "naive")
              .delays(0, 3)
              .skews(0, -3, 5)
              .coreMillis(400)
              .verdicts(1, 2),
          Rules.of("gate off", "sdk", "naive")
              .verdicts(2, 2)
              .with(Trouble.CRASH, 1)
              .with(Trouble.USER, 1)
              .settings(DEFAULTS.withAcRequeueAfter(false)),
          Rules.of("shortest delays", "sdk", "naive")
              .delays(Rules.NO_DELAY, 0)
              .settings(DEFAULTS)
              .verdicts(1, 3)
              .with(Trouble.CRASH, 1),
          Rules.of("retry policies", "sdk", "naive")
              .delays(Rules.NO_DELAY, 0)
              .policies(RetryPolicy.backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(3)))
              .verdicts(1, 3)
              .with(Trouble.CRASH, 1),
          Rules.of("limited retries", "sdk", "naive")
              .maxRetries(1)
              .verdicts(2, 2)
              .with(Trouble.CRASH, 1)
              .with(Trouble.USER, 1),
          Rules.of("fractional cap", "naive")
              .delays(1, 5)
              .settings(DEFAULTS.withRetryDelays(Duration.ZERO, Duration.ofMillis(1500)))
              .verdicts(2)
              .with(Trouble.CRASH, 1),
          Rules.of("checks that never answer", "sdk")
              .delays(Rules.NO_DELAY)
              .pendingTimeout(2)
              .verdicts(1)
              .with(Trouble.TIMEOUT, 2)
              .with(Trouble.CRASH, 1),
          Rules.of("finish", "sdk").verdicts(2).with(Trouble.FINISH, 1).with(Trouble.USER, 1),
          Rules.of("made anew", "sdk").verdicts(1).with(Trouble.RECREATE, 1).with(Trouble.USER, 1));

  private Worlds() {}

  static List<Rules> all() {
    return ALL;
  }

  /**
   * @throws IllegalArgumentException if there is none of this name
   */
  static Rules named(String name) {
    return ALL.stream()
        .filter(rules -> rules.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no world '" + name + "'"));
  }
}
