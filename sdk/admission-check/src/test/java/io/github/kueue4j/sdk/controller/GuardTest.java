// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import static io.github.kueue4j.sdk.Patient.await;
import static io.github.kueue4j.sdk.Patient.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The effects of the guards' settings. */
class GuardTest {

  private static final Verdict FINE = Verdict.ready("fine");

  /** What an author does who knows no better. */
  @SuppressWarnings("NullAway")
  private static final Check<NoParameters> SPEECHLESS = evaluation -> null;

  private static final Check<NoParameters> BROKEN =
      evaluation -> {
        throw new IOException("broken");
      };

  private final ManualTime time = ManualTime.create();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Queue<Error> fatal = new ConcurrentLinkedQueue<>();
  private final FatalErrors fatalErrors = FatalErrors.then((thread, error) -> fatal.add(error));

  @Test
  void atMostSoManyEvaluationsRunAtOnce() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    Check<NoParameters> check =
        evaluation -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          go.await();
          running.decrementAndGet();
          return FINE;
        };
    try (GuardSet guards = guards(Guards.defaults().withMaxConcurrentEvaluations(3));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Guard.Outcome>> calls = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        String name = i % 2 == 0 ? "one" : "two";
        String workload = "workload-" + i;
        calls.add(callers.submit(() -> guards.of(name).call(check, evaluation(workload))));
      }
      await().until(() -> calls.stream().filter(Future::isDone).count() == 7);
      go.countDown();
      int answered = 0;
      for (Future<Guard.Outcome> call : calls) {
        answered += call.get().equals(new Guard.Outcome.Answered(FINE)) ? 1 : 0;
      }
      assertThat(answered).isEqualTo(3);
    }
    assertThat(most).hasValue(3);
  }

  @Test
  void oneThatIgnoresItsInterruptionKeepsItsPlace() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicBoolean began = new AtomicBoolean();
    AtomicBoolean interrupted = new AtomicBoolean();
    Check<NoParameters> stubborn =
        evaluation -> {
          began.set(true);
          while (end.getCount() > 0) {
            try {
              end.await();
            } catch (InterruptedException e) {
              interrupted.set(true);
            }
          }
          return FINE;
        };
    try (GuardSet guards =
        guards(
            Guards.defaults().withTimeout(Duration.ofMillis(50)).withMaxConcurrentEvaluations(1))) {
      Guard.Outcome first = guards.of("one").call(stubborn, evaluation());
      assertThat(first)
          .isInstanceOfSatisfying(
              Guard.Outcome.Failed.class,
              failed -> assertThat(failed.cause()).isInstanceOf(TimeoutException.class));
      // One that times out before it has begun, on a busy machine, gives its place back.
      while (!began.get()) {
        assertThat(guards.of("one").call(stubborn, evaluation()))
            .isNotInstanceOf(Guard.Outcome.Answered.class);
      }
      await().untilTrue(interrupted);
      assertThat(guards.of("one").call(evaluation -> FINE, evaluation()))
          .isEqualTo(new Guard.Outcome.StillRunning());
      end.countDown();
      await()
          .until(
              () ->
                  guards
                      .of("one")
                      .call(evaluation -> FINE, evaluation())
                      .equals(new Guard.Outcome.Answered(FINE)));
    }
  }

  @Test
  void oneThatStillRunsUsesUpNoPermission() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    Guards oneAtATime = Guards.defaults().withMaxConcurrentEvaluations(1);
    EvaluationPlaces places = Guard.places("example.com/test", oneAtATime);
    try (AuthorCalls calls = new AuthorCalls(oneAtATime.timeout(), fatalErrors);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Guard guard = Guard.of("one", oneAtATime, places, time, calls);
      Future<Guard.Outcome> running =
          callers.submit(
              () ->
                  guard.call(
                      evaluation -> {
                        began.countDown();
                        end.await();
                        return FINE;
                      },
                      evaluation("slow")));
      began.await();

      assertThat(guard.call(evaluation -> FINE, evaluation("slow")))
          .as("without a look at the places")
          .isEqualTo(new Guard.Outcome.StillRunning());

      end.countDown();
      assertThat(running.get()).isEqualTo(new Guard.Outcome.Answered(FINE));
    }
  }

  @Test
  void oneThatRunsOutOfMemoryConcernsTheProcess() {
    OutOfMemoryError provoked = new OutOfMemoryError("provoked");
    try (GuardSet guards = guards(Guards.defaults())) {
      assertThatThrownBy(
              () ->
                  guards
                      .of("one")
                      .call(
                          evaluation -> {
                            throw provoked;
                          },
                          evaluation()))
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
        assertThat(guards.of("one").call(late, evaluation()))
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
                      evaluation -> {
                        throw new StackOverflowError("provoked");
                      },
                      evaluation()))
          .isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(fatal).isEmpty();
    }
  }

  @Test
  void oneThatTimesOutBeforeItBeganGivesItsPlaceBack() throws Exception {
    Guards one =
        Guards.defaults().withTimeout(Duration.ofMillis(50)).withMaxConcurrentEvaluations(1);
    EvaluationPlaces places = Guard.places("example.com/test", one);
    AtomicInteger calls = new AtomicInteger();
    try (BusyThreads threads = new BusyThreads()) {
      Guard guard =
          Guard.of("one", one, places, time, new AuthorCalls(one.timeout(), threads, fatalErrors));

      Guard.Outcome outcome =
          guard.call(
              evaluation -> {
                calls.incrementAndGet();
                return FINE;
              },
              evaluation());
      threads.waiting.forEach(Runnable::run);

      assertThat(outcome).isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(calls).hasValue(0);
      assertThat(places.free()).isEqualTo(1);
    }
  }

  /** Stands for a machine whose processors are busy: nothing begins until the test runs it. */
  private static final class BusyThreads extends AbstractExecutorService {
    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public void execute(Runnable task) {
      waiting.add(task);
    }

    @Override
    public void shutdown() {
      waiting.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return waiting.isEmpty();
    }

    @Override
    public boolean isTerminated() {
      return waiting.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  @Test
  void atMostSoManyStartWithinASecond() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Check<NoParameters> check =
        evaluation -> {
          calls.incrementAndGet();
          return FINE;
        };
    try (GuardSet guards = guards(Guards.defaults().withMaxEvaluationsPerSecond(5));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      long begin = System.nanoTime();
      List<Future<Guard.Outcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String workload = "workload-" + i;
        outcomes.add(callers.submit(() -> guards.of("one").call(check, evaluation(workload))));
      }
      int busy = 0;
      for (Future<Guard.Outcome> outcome : outcomes) {
        busy += outcome.get() instanceof Guard.Outcome.Busy ? 1 : 0;
      }
      long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
      // Both ends of the time may lie within a period, and patience reaches into one more.
      assertThat(calls.get()).isBetween(5, 5 * ((int) seconds + 3));
      assertThat(busy).isEqualTo(60 - calls.get());
    }
  }

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
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        assertThat(guards.of("one").call(check, evaluation()))
            .isInstanceOf(Guard.Outcome.Failed.class);
      }
      assertThat(guards.of("one").call(check, evaluation()))
          .isEqualTo(new Guard.Outcome.CircuitOpen(Duration.ofSeconds(10)));
      assertThat(calls).hasValue(4);
      assertThat(breaker("one")).isEqualTo("open");
      assertThat(guards.of("two").call(evaluation -> FINE, evaluation()))
          .isEqualTo(new Guard.Outcome.Answered(FINE));

      time.advance(Duration.ofSeconds(11));
      assertThat(guards.of("one").call(check, evaluation()))
          .isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(guards.of("one").call(check, evaluation()))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);
      assertThat(calls).hasValue(5);

      broken.set(false);
      time.advance(Duration.ofSeconds(11));
      for (int i = 0; i < 3; i++) {
        assertThat(guards.of("one").call(check, evaluation()))
            .isEqualTo(new Guard.Outcome.Answered(FINE));
      }
      assertThat(breaker("one")).isEqualTo("closed");
    }
    assertThat(meters.find("kueue4j.check.circuit.breaker").gauges()).isEmpty();
  }

  @Test
  void oneWorkloadThatFailsAgainAndAgainOpensNothing() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 2, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 50; i++) {
        assertThat(guards.of("one").call(BROKEN, evaluation("poison")))
            .isInstanceOf(Guard.Outcome.Failed.class);
        assertThat(guards.of("one").call(SPEECHLESS, evaluation("poison")))
            .isInstanceOf(Guard.Outcome.Failed.class);
      }
      assertThat(breaker("one")).isEqualTo("closed");
      assertThat(guards.of("one").call(evaluation -> FINE, evaluation("other")))
          .isEqualTo(new Guard.Outcome.Answered(FINE));
    }
  }

  @Test
  void severalWorkloadsThatFailOpenIt() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(BROKEN, evaluation("workload-" + i));
      }
      assertThat(breaker("one")).isEqualTo("open");

      // The first that is tried again decides, although it has failed before.
      time.advance(Duration.ofSeconds(11));
      guards.of("one").call(BROKEN, evaluation("workload-0"));
      assertThat(breaker("one")).isEqualTo("open");
    }
  }

  /** A hundred Jobs with the same mistake in them are one tenant's trouble. */
  @Test
  void oneNamespaceThatFailsWhileOthersAreAnsweredOpensNothing() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      guards.of("one").call(evaluation -> FINE, evaluation("others", "well"));
      for (int i = 0; i < 100; i++) {
        guards.of("one").call(BROKEN, evaluation("mistaken", "workload-" + i));
      }
      assertThat(breaker("one")).isEqualTo("closed");

      // Until one of the others meets it, too.
      guards.of("one").call(BROKEN, evaluation("others", "next"));
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(BROKEN, evaluation("mistaken", "workload-" + i));
      }
      assertThat(breaker("one")).isEqualTo("open");
    }
  }

  /** It was alone when its evaluations failed; nothing tells yet whose trouble that is. */
  @Test
  void aBreakerThatOneNamespaceOpenedIsClosedByAnAnswerToAnother() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(BROKEN, evaluation("mistaken", "workload-" + i));
      }
      assertThat(guards.of("one").call(BROKEN, evaluation("mistaken", "next")))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);

      assertThat(guards.of("one").call(evaluation -> FINE, evaluation("others", "well")))
          .isEqualTo(new Guard.Outcome.Answered(FINE));
      assertThat(breaker("one")).isEqualTo("closed");
      for (int i = 0; i < 100; i++) {
        guards.of("one").call(BROKEN, evaluation("mistaken", "workload-" + i));
      }
      assertThat(breaker("one")).isEqualTo("closed");
    }
  }

  @Test
  void anotherNamespaceThatFailsToConfirmsIt() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(BROKEN, evaluation("first", "workload-" + i));
      }
      assertThat(guards.of("one").call(BROKEN, evaluation("second", "workload")))
          .isInstanceOf(Guard.Outcome.Failed.class);
      assertThat(breaker("one")).isEqualTo("open");
      assertThat(guards.of("one").call(BROKEN, evaluation("second", "another")))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);
    }
  }

  @Test
  void aBackendThatIsSaidToBeUnavailableIsLeftAloneByAllNamespaces() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        guards
            .of("one")
            .call(
                evaluation -> {
                  throw new BackendUnavailableException("down");
                },
                evaluation("first", "workload-" + i));
      }
      assertThat(guards.of("one").call(evaluation -> FINE, evaluation("second", "workload")))
          .isInstanceOf(Guard.Outcome.CircuitOpen.class);
    }
  }

  @Test
  void oneNamespaceLeavesPlacesToOthers() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    Check<NoParameters> hanging =
        evaluation -> {
          running.incrementAndGet();
          end.await();
          return FINE;
        };
    try (GuardSet guards = guards(Guards.defaults().withMaxConcurrentEvaluations(8));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Guard.Outcome>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String workload = "workload-" + i;
        calls.add(
            callers.submit(() -> guards.of("one").call(hanging, evaluation("hangs", workload))));
      }
      await().until(() -> calls.stream().filter(Future::isDone).count() == 14);
      await().untilAsserted(() -> assertThat(running).hasValue(6));

      assertThat(guards.of("one").call(evaluation -> FINE, evaluation("others", "well")))
          .isEqualTo(new Guard.Outcome.Answered(FINE));
      end.countDown();
      for (Future<Guard.Outcome> call : calls) {
        assertThat(call.get()).isNotInstanceOf(Guard.Outcome.Failed.class);
      }
      assertThat(guards.of("one").call(evaluation -> FINE, evaluation("hangs", "workload-1")))
          .as("its places are free again")
          .isEqualTo(new Guard.Outcome.Answered(FINE));
    }
  }

  /** The permits of a second are for evaluations that begin. */
  @Test
  void oneNamespaceWhoseShareIsTakenUsesUpNoPermits() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    Check<NoParameters> hanging =
        evaluation -> {
          running.incrementAndGet();
          end.await();
          return FINE;
        };
    Guards limits =
        Guards.defaults().withMaxConcurrentEvaluations(4).withMaxEvaluationsPerSecond(10);
    try (GuardSet guards = guards(limits);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService threads = Executors.newFixedThreadPool(20)) {
      List<Future<Guard.Outcome>> hung = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String workload = "hung-" + i;
        hung.add(
            callers.submit(() -> guards.of("one").call(hanging, evaluation("hangs", workload))));
      }
      await().untilAsserted(() -> assertThat(running).hasValue(3));

      AtomicBoolean stop = new AtomicBoolean();
      List<Future<Integer>> refused = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String workload = "waiting-" + i;
        refused.add(
            threads.submit(
                () -> {
                  int others = 0;
                  while (!stop.get()) {
                    Guard.Outcome outcome =
                        guards.of("one").call(hanging, evaluation("hangs", workload));
                    others += outcome instanceof Guard.Outcome.Busy ? 0 : 1;
                  }
                  return others;
                }));
      }
      List<Guard.Outcome> answers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        answers.add(guards.of("one").call(evaluation -> FINE, evaluation("others", "well")));
      }
      stop.set(true);
      for (Future<Integer> one : refused) {
        assertThat(one.get()).isZero();
      }
      assertThat(answers).containsOnly(new Guard.Outcome.Answered(FINE));
      end.countDown();
      for (Future<Guard.Outcome> one : hung) {
        assertThat(one.get()).isEqualTo(new Guard.Outcome.Answered(FINE));
      }
    }
  }

  @Test
  void answersOfLongAgoDoNotSpeakForABackend() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      guards.of("one").call(evaluation -> FINE, evaluation("others", "well"));
      time.advance(Duration.ofMinutes(2));
      for (int i = 0; i < 4; i++) {
        guards.of("one").call(BROKEN, evaluation("alone", "workload-" + i));
      }
      assertThat(breaker("one")).isEqualTo("open");
    }
  }

  /** The state that is shown. */
  private String breaker(String check) {
    return meters.get("kueue4j.check.circuit.breaker").tag("check", check).gauges().stream()
        .filter(gauge -> gauge.value() == 1)
        .map(gauge -> String.valueOf(gauge.getId().getTag("state")))
        .collect(Collectors.joining());
  }

  /** A check may say so without having asked its backend. */
  @Test
  void unchangedSaysNothingOfTheBackend() throws Exception {
    CircuitBreakerOptions options = new CircuitBreakerOptions(4, 4, 0.5, Duration.ofSeconds(10));
    Check<NoParameters> away =
        evaluation -> {
          throw new BackendUnavailableException("away");
        };
    try (GuardSet guards = guards(Guards.defaults().withCircuitBreaker(options))) {
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
          assertThat(
                  guards.of("one").call(evaluation -> Verdict.unchanged("as it was"), evaluation()))
              .isInstanceOf(Guard.Outcome.Answered.class);
        }
        assertThat(breaker("one")).isEqualTo("closed");
        guards.of("one").call(away, evaluation("waiting", "workload-" + i));
      }
      assertThat(breaker("one")).isEqualTo("open");
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
    assertThatThrownBy(() -> new CircuitBreakerOptions(4, 5, 0.5, Duration.ofSeconds(1)))
        .hasMessageContaining("minimum");
    assertThatThrownBy(() -> new CircuitBreakerOptions(4, 4, 0, Duration.ofSeconds(1)))
        .hasMessageContaining("failure rate");
  }

  private GuardSet guards(Guards guards) {
    return new GuardSet(
        "example.com/test",
        guards,
        time,
        new CheckMetrics(meters, "example.com/test"),
        fatalErrors);
  }

  private static Evaluation<NoParameters> evaluation() {
    return evaluation("name");
  }

  private static Evaluation<NoParameters> evaluation(String workload) {
    return evaluation("ns", workload);
  }

  static Evaluation<NoParameters> evaluation(String namespace, String workload) {
    return new Evaluation<>(
        "one",
        Workload.named(namespace, workload),
        List.of(),
        AdmissionCheckState.pending("one", Instant.EPOCH),
        NoParameters.INSTANCE,
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
