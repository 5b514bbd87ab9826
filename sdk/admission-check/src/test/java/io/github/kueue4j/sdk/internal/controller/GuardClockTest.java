// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine's clock is set: what guards a check goes by what has really passed. */
class GuardClockTest {
  private static final Guards.CircuitBreaker BREAKER =
      new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));

  private static final Check<NoParameters> FINE = evaluation -> Verdict.ready("fine");

  private static final Check<NoParameters> AWAY =
      evaluation -> {
        throw new BackendUnavailableException("away");
      };

  private static final Check<NoParameters> BROKEN =
      evaluation -> {
        throw new IOException("broken");
      };

  private final ManualTime steady = ManualTime.create();
  private final SetClock clock = new SetClock();

  /** Shows another time than what durations are measured by. */
  private final class SetClock implements TimeSource {
    private Duration step = Duration.ZERO;

    @Override
    public Instant instant() {
      return steady.instant().plus(step);
    }

    @Override
    public Cancellable at(Instant when, Runnable task) {
      return steady.at(when.minus(step), task);
    }

    @Override
    public TimeSource steady() {
      return steady;
    }

    @Override
    public void close() {
      steady.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "-PT1H"})
  void theBreakerStaysOpenForItsTime(Duration step) throws Exception {
    try (GuardSet guards = guards()) {
      fail(guards, AWAY);
      clock.step = step;

      steady.advance(Duration.ofSeconds(9));
      assertThat(call(guards, FINE, "others")).isInstanceOf(Guard.Outcome.CircuitOpen.class);
      steady.advance(Duration.ofSeconds(2));
      assertThat(call(guards, FINE, "others")).isInstanceOf(Guard.Outcome.Answered.class);
    }
  }

  @Test
  void setForwardItDoesNotMakeAnAnswerOld() throws Exception {
    try (GuardSet guards = guards()) {
      call(guards, FINE, "others");
      clock.step = Duration.ofHours(1);
      fail(guards, BROKEN);

      assertThat(call(guards, FINE, "others"))
          .as("others have got answers within the minute")
          .isInstanceOf(Guard.Outcome.Answered.class);
    }
  }

  @Test
  void setBackItDoesNotKeepAnAnswerRecent() throws Exception {
    try (GuardSet guards = guards()) {
      call(guards, FINE, "others");
      clock.step = Duration.ofHours(-1);
      steady.advance(Duration.ofMinutes(2));
      fail(guards, BROKEN);

      assertThat(guards.of("one").breakerState().toString()).isEqualToIgnoringCase("open");
    }
  }

  /** Fails for as many Workloads of one namespace as the breaker looks at. */
  private static void fail(GuardSet guards, Check<NoParameters> check) throws Exception {
    for (int i = 0; i < BREAKER.window(); i++) {
      guards
          .of("one")
          .call(Guard.Question.verdict(check, GuardFixture.evaluation("alone", "workload-" + i)));
    }
  }

  private static Guard.Outcome<Verdict> call(
      GuardSet guards, Check<NoParameters> check, String namespace) throws Exception {
    return guards
        .of("one")
        .call(Guard.Question.verdict(check, GuardFixture.evaluation(namespace, "well")));
  }

  private GuardSet guards() {
    return new GuardSet(
        "example.com/test",
        Guards.defaults().withCircuitBreaker(BREAKER),
        clock,
        new CheckMetrics(new SimpleMeterRegistry(), "example.com/test"),
        FatalErrors.endProcess());
  }
}
