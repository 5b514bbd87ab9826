// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static io.github.kueue4j.sdk.Patient.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** What becomes of evaluations that break, and of limits that make no sense. */
@ExpectedLog(level = Level.ERROR, logger = "FatalErrors", message = "An Error ended a thread")
class GuardTest extends GuardFixture {

  @Test
  void oneThatRunsOutOfMemoryConcernsTheProcess() {
    OutOfMemoryError provoked = new OutOfMemoryError("provoked");
    try (GuardSet guards = guards(Guards.defaults())) {
      assertThatThrownBy(
              () ->
                  guards
                      .of("one")
                      .call(
                          Guard.Question.verdict(
                              evaluation -> {
                                throw provoked;
                              },
                              evaluation())))
          .isSameAs(provoked);
      assertThat(fatal).containsExactly(provoked);
    }
  }

  @Test
  void alsoIfItRunsOutOfMemoryAfterItsTimeout() throws Exception {
    OutOfMemoryError provoked = new OutOfMemoryError("provoked");
    CountDownLatch givenUp = new CountDownLatch(1);
    AtomicBoolean began = new AtomicBoolean();
    try (GuardSet guards = guards(Guards.defaults().withTimeout(Duration.ofMillis(50)))) {
      Check<NoParameters> late =
          evaluation -> {
            began.set(true);
            awaitUninterruptibly(givenUp);
            throw provoked;
          };
      while (!began.get()) {
        assertThat(guards.of("one").call(Guard.Question.verdict(late, evaluation())))
            .isNotInstanceOf(Guard.Outcome.Answered.class);
      }
      assertThat(fatal).isEmpty();
      givenUp.countDown();
      await().untilAsserted(() -> assertThat(fatal).containsExactly(provoked));
    }
  }

  @Test
  void aRecursionWithoutEndConcernsTheCall() throws Exception {
    try (GuardSet guards = guards(Guards.defaults())) {
      assertThat(
              guards
                  .of("one")
                  .call(
                      Guard.Question.verdict(
                          evaluation -> {
                            throw new StackOverflowError("provoked");
                          },
                          evaluation())))
          .isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(fatal).isEmpty();
    }
  }

  @Test
  void limitsOutOfBoundsAreRefused() {
    Guards guards = Guards.defaults();
    assertThatThrownBy(() -> guards.withTimeout(Duration.ZERO)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> guards.withMaxConcurrentEvaluations(0))
        .hasMessageContaining("maxConcurrentEvaluations");
    assertThatThrownBy(() -> guards.withMaxEvaluationsPerSecond(0))
        .hasMessageContaining("maxEvaluationsPerSecond");
    assertThatThrownBy(
            () ->
                guards.withErrorPolicy(
                    Backoff.fixed(Duration.ofSeconds(1)),
                    Duration.ZERO,
                    Backoff.fixed(Duration.ofSeconds(1))))
        .hasMessageContaining("error budget");
    assertThatThrownBy(() -> new Guards.CircuitBreaker(4, 5, 0.5, Duration.ofSeconds(1)))
        .hasMessageContaining("minimum");
    assertThatThrownBy(() -> new Guards.CircuitBreaker(4, 4, 0, Duration.ofSeconds(1)))
        .hasMessageContaining("failure rate");
  }
}
