// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a check that keeps failing is left alone, and whose failures and answers count. */
class CircuitBreakerTest extends GuardFixture {

  @Test
  void aCheckThatKeepsFailingIsLeftAloneAndThenTriedOnce() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean broken = new AtomicBoolean(true);
    Check<NoParameters> check =
        evaluation -> {
          calls.incrementAndGet();
          if (broken.get()) {
            throw new BackendUnavailableException("broken");
          }
          return FINE;
        };
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        assertThat(guards.of("one").call(Guard.Question.verdict(check, evaluation())))
            .isInstanceOf(Guard.Outcome.Failed.class);
      }
      assertThat(guards.of("one").call(Guard.Question.verdict(check, evaluation())))
          .isInstanceOfSatisfying(
              Guard.Outcome.CircuitOpen.class,
              open -> {
                assertThat(open.tryAgainIn()).hasSeconds(10);
                assertThat(open.lastFailure()).hasMessage("broken");
              });
      assertThat(calls).hasValue(4);
      assertThat(breaker("one")).isEqualTo("open");
      assertThat(guards.of("two").call(Guard.Question.verdict(evaluation -> FINE, evaluation())))
          .isEqualTo(new Guard.Outcome.Answered<>(FINE));

      time.advance(Duration.ofSeconds(11));
      assertThat(guards.of("one").call(Guard.Question.verdict(check, evaluation())))
          .isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(guards.of("one").call(Guard.Question.verdict(check, evaluation())))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);
      assertThat(calls).hasValue(5);

      broken.set(false);
      time.advance(Duration.ofSeconds(11));
      for (int i = 0; i < 3; i++) {
        assertThat(guards.of("one").call(Guard.Question.verdict(check, evaluation())))
            .isEqualTo(new Guard.Outcome.Answered<>(FINE));
      }
      assertThat(breaker("one")).isEqualTo("closed");
    }
    assertThat(meters.find("kueue4j.check.circuit.breaker").gauges()).isEmpty();
  }

  @Test
  void oneWorkloadThatFailsAgainAndAgainOpensNothing() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 2, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 50; i++) {
        assertThat(guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("poison"))))
            .isInstanceOf(Guard.Outcome.Failed.class);
        assertThat(guards.of("one").call(Guard.Question.verdict(SPEECHLESS, evaluation("poison"))))
            .isInstanceOf(Guard.Outcome.Failed.class);
      }
      assertThat(breaker("one")).isEqualTo("closed");
      assertThat(
              guards
                  .of("one")
                  .call(Guard.Question.verdict(evaluation -> FINE, evaluation("other"))))
          .isEqualTo(new Guard.Outcome.Answered<>(FINE));
    }
  }

  @Test
  void severalWorkloadsThatFailOpenIt() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("workload-" + i)));
      }
      assertThat(breaker("one")).isEqualTo("open");

      // The first that is tried again decides, although it has failed before.
      time.advance(Duration.ofSeconds(11));
      guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("workload-0")));
      assertThat(breaker("one")).isEqualTo("open");
    }
  }

  /** A hundred Jobs with the same mistake in them are one tenant's trouble. */
  @Test
  void oneNamespaceThatFailsWhileOthersAreAnsweredOpensNothing() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      guards
          .of("one")
          .call(Guard.Question.verdict(evaluation -> FINE, evaluation("others", "well")));
      for (int i = 0; i < 100; i++) {
        guards
            .of("one")
            .call(Guard.Question.verdict(BROKEN, evaluation("mistaken", "workload-" + i)));
      }
      assertThat(breaker("one")).isEqualTo("closed");

      // Until one of the others meets it, too.
      guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("others", "next")));
      for (int i = 0; i < 4; i++) {
        guards
            .of("one")
            .call(Guard.Question.verdict(BROKEN, evaluation("mistaken", "workload-" + i)));
      }
      assertThat(breaker("one")).isEqualTo("open");
    }
  }

  /** It was alone when its evaluations failed; nothing tells yet whose trouble that is. */
  @Test
  void aBreakerThatOneNamespaceOpenedIsClosedByAnAnswerToAnother() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards
            .of("one")
            .call(Guard.Question.verdict(BROKEN, evaluation("mistaken", "workload-" + i)));
      }
      assertThat(
              guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("mistaken", "next"))))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);

      assertThat(
              guards
                  .of("one")
                  .call(Guard.Question.verdict(evaluation -> FINE, evaluation("others", "well"))))
          .isEqualTo(new Guard.Outcome.Answered<>(FINE));
      assertThat(breaker("one")).isEqualTo("closed");
      for (int i = 0; i < 100; i++) {
        guards
            .of("one")
            .call(Guard.Question.verdict(BROKEN, evaluation("mistaken", "workload-" + i)));
      }
      assertThat(breaker("one")).isEqualTo("closed");
    }
  }

  /** Whether they have to wait out a pause is decided by the one that asks now. */
  @Test
  void whoComesWhileItIsTriedAgainIsAskedSoon() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    AtomicReference<Guard.@Nullable Outcome<Verdict>> meanwhile = new AtomicReference<>();
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      Check<NoParameters> whileAnotherComes =
          evaluation -> {
            meanwhile.set(
                guards
                    .of("one")
                    .call(Guard.Question.verdict(each -> FINE, evaluation("alone", "another"))));
            return FINE;
          };
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("alone", "workload-" + i)));
      }
      time.advance(Duration.ofSeconds(11));
      guards
          .of("one")
          .call(Guard.Question.verdict(whileAnotherComes, evaluation("alone", "workload")));

      assertThat(meanwhile).hasValue(new Guard.Outcome.Busy<>());
      assertThat(breaker("one")).isEqualTo("closed");
    }
  }

  @Test
  void whoComesWhileAnotherNamespaceIsAskedBesidesIsAskedSoon() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    AtomicReference<Guard.@Nullable Outcome<Verdict>> meanwhile = new AtomicReference<>();
    AtomicReference<Guard.@Nullable Outcome<Verdict>> mistaken = new AtomicReference<>();
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      Check<NoParameters> whileOthersCome =
          evaluation -> {
            meanwhile.set(
                guards
                    .of("one")
                    .call(Guard.Question.verdict(each -> FINE, evaluation("others", "another"))));
            mistaken.set(
                guards
                    .of("one")
                    .call(Guard.Question.verdict(each -> FINE, evaluation("mistaken", "next"))));
            return FINE;
          };
      for (int i = 0; i < 4; i++) {
        guards
            .of("one")
            .call(Guard.Question.verdict(BROKEN, evaluation("mistaken", "workload-" + i)));
      }
      guards.of("one").call(Guard.Question.verdict(whileOthersCome, evaluation("others", "well")));

      assertThat(meanwhile).hasValue(new Guard.Outcome.Busy<>());
      assertThat(mistaken.get()).isInstanceOf(Guard.Outcome.CircuitOpen.class);
      assertThat(breaker("one")).isEqualTo("closed");
    }
  }

  @Test
  void anotherNamespaceThatFailsToConfirmsIt() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("first", "workload-" + i)));
      }
      assertThat(
              guards
                  .of("one")
                  .call(Guard.Question.verdict(BROKEN, evaluation("second", "workload"))))
          .isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(breaker("one")).isEqualTo("open");
      assertThat(
              guards
                  .of("one")
                  .call(Guard.Question.verdict(BROKEN, evaluation("second", "another"))))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);
    }
  }

  @Test
  void aBackendThatIsSaidToBeUnavailableIsLeftAloneByAllNamespaces() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards
            .of("one")
            .call(
                Guard.Question.verdict(
                    evaluation -> {
                      throw new BackendUnavailableException("down");
                    },
                    evaluation("first", "workload-" + i)));
      }
      assertThat(
              guards
                  .of("one")
                  .call(
                      Guard.Question.verdict(evaluation -> FINE, evaluation("second", "workload"))))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);
    }
  }

  @Test
  void answersOfLongAgoDoNotSpeakForABackend() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      guards
          .of("one")
          .call(Guard.Question.verdict(evaluation -> FINE, evaluation("others", "well")));
      time.advance(Duration.ofMinutes(2));
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(Guard.Question.verdict(BROKEN, evaluation("alone", "workload-" + i)));
      }
      assertThat(breaker("one")).isEqualTo("open");
    }
  }

  /** A check may say so without having asked its backend. */
  @Test
  void unchangedSaysNothingOfTheBackend() throws Exception {
    Guards.CircuitBreaker options = new Guards.CircuitBreaker(4, 4, 0.5, Duration.ofSeconds(10));
    Check<NoParameters> away =
        evaluation -> {
          throw new BackendUnavailableException("away");
        };
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
          assertThat(
                  guards
                      .of("one")
                      .call(
                          Guard.Question.verdict(
                              evaluation -> Verdict.unchanged("as it was"), evaluation())))
              .isInstanceOf(Guard.Outcome.Answered.class);
        }
        assertThat(breaker("one")).isEqualTo("closed");
        guards.of("one").call(Guard.Question.verdict(away, evaluation("waiting", "workload-" + i)));
      }
      assertThat(breaker("one")).isEqualTo("open");
    }
  }
}
