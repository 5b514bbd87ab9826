// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many evaluations run at once and start within a second, and how namespaces share that. */
class EvaluationPlacesTest extends GuardFixture {
  /** So few that the caller that is asked about gets its turn on two cores. */
  private static final int BUSY_CALLERS = 4;

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
        Actors callers = Actors.named("caller")) {
      List<Act<Guard.Outcome<Verdict>>> calls = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        String name = i % 2 == 0 ? "one" : "two";
        String workload = "workload-" + i;
        calls.add(
            callers.ask(
                () -> guards.of(name).call(Guard.Question.verdict(check, evaluation(workload)))));
      }
      await().until(() -> calls.stream().filter(Act::hasEnded).count() == 7);
      await().untilAsserted(() -> assertThat(running).hasValue(3));
      go.countDown();
      int answered = 0;
      for (Act<Guard.Outcome<Verdict>> call : calls) {
        answered += call.get().equals(new Guard.Outcome.Answered<>(FINE)) ? 1 : 0;
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
      Guard.Outcome<Verdict> first =
          guards.of("one").call(Guard.Question.verdict(stubborn, evaluation()));
      assertThat(first)
          .isInstanceOfSatisfying(
              Guard.Outcome.Failed.class,
              failed -> assertThat(failed.cause()).isInstanceOf(TimeoutException.class));
      // One that times out before it has begun, on a busy machine, gives its place back.
      while (!began.get()) {
        assertThat(guards.of("one").call(Guard.Question.verdict(stubborn, evaluation())))
            .isNotInstanceOf(Guard.Outcome.Answered.class);
      }
      await().untilTrue(interrupted);
      assertThat(guards.of("one").call(Guard.Question.verdict(evaluation -> FINE, evaluation())))
          .isEqualTo(new Guard.Outcome.StillRunning<>());
      end.countDown();
      await()
          .until(
              () ->
                  guards
                      .of("one")
                      .call(Guard.Question.verdict(evaluation -> FINE, evaluation()))
                      .equals(new Guard.Outcome.Answered<>(FINE)));
    }
  }

  /** On a busy machine a call may not have begun within its time, and has no stack to show. */
  @Test
  void aTimeoutShowsWhereTheCallIs() {
    try (AuthorCalls calls = new AuthorCalls(Duration.ofMillis(50), fatalErrors)) {
      await().until(() -> placesOfATimeout(calls).contains("askTheBackend"));
    }
  }

  private static List<String> placesOfATimeout(AuthorCalls calls) throws Exception {
    Optional<AuthorCalls.Turn> turn = calls.turn(AuthorCalls.Subject.check("one"), () -> {});
    try {
      return List.of(turn.isPresent() ? turn.get().call(EvaluationPlacesTest::askTheBackend) : "");
    } catch (TimeoutException e) {
      return Stream.of(e.getStackTrace()).map(StackTraceElement::getMethodName).toList();
    }
  }

  private static String askTheBackend() throws InterruptedException {
    new CountDownLatch(1).await();
    return "never";
  }

  @Test
  void oneThatStillRunsUsesUpNoPermission() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    Guards oneAtATime = Guards.defaults().withMaxConcurrentEvaluations(1);
    EvaluationPlaces places = Guard.places("example.com/test", oneAtATime);
    try (AuthorCalls calls = new AuthorCalls(oneAtATime.timeout(), fatalErrors);
        Actors callers = Actors.named("caller")) {
      Guard guard = Guard.of("one", oneAtATime, places, time, calls);
      Act<Guard.Outcome<Verdict>> running =
          callers.ask(
              () ->
                  guard.call(
                      Guard.Question.verdict(
                          evaluation -> {
                            began.countDown();
                            end.await();
                            return FINE;
                          },
                          evaluation("slow"))));
      began.await();

      assertThat(guard.call(Guard.Question.verdict(evaluation -> FINE, evaluation("slow"))))
          .as("without a look at the places")
          .isEqualTo(new Guard.Outcome.StillRunning<>());

      end.countDown();
      assertThat(running.get()).isEqualTo(new Guard.Outcome.Answered<>(FINE));
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

      Guard.Outcome<Verdict> outcome =
          guard.call(
              Guard.Question.verdict(
                  evaluation -> {
                    calls.incrementAndGet();
                    return FINE;
                  },
                  evaluation()));
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
        Actors callers = Actors.named("caller")) {
      long begin = System.nanoTime();
      List<Act<Guard.Outcome<Verdict>>> outcomes = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String workload = "workload-" + i;
        outcomes.add(
            callers.ask(
                () -> guards.of("one").call(Guard.Question.verdict(check, evaluation(workload)))));
      }
      int busy = 0;
      for (Act<Guard.Outcome<Verdict>> outcome : outcomes) {
        busy += outcome.get() instanceof Guard.Outcome.Busy ? 1 : 0;
      }
      long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
      // Both ends of the time may lie within a period, and patience reaches into one more.
      assertThat(calls.get()).isBetween(5, 5 * ((int) seconds + 3));
      assertThat(busy).isEqualTo(60 - calls.get());
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
        Actors callers = Actors.named("caller")) {
      List<Act<Guard.Outcome<Verdict>>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String workload = "workload-" + i;
        calls.add(
            callers.ask(
                () ->
                    guards
                        .of("one")
                        .call(Guard.Question.verdict(hanging, evaluation("hangs", workload)))));
      }
      await().until(() -> calls.stream().filter(Act::hasEnded).count() == 14);
      await().untilAsserted(() -> assertThat(running).hasValue(6));

      assertThat(
              guards
                  .of("one")
                  .call(Guard.Question.verdict(evaluation -> FINE, evaluation("others", "well"))))
          .isEqualTo(new Guard.Outcome.Answered<>(FINE));
      end.countDown();
      for (Act<Guard.Outcome<Verdict>> call : calls) {
        assertThat(call.get()).isNotInstanceOf(Guard.Outcome.Failed.class);
      }
      assertThat(
              guards
                  .of("one")
                  .call(
                      Guard.Question.verdict(
                          evaluation -> FINE, evaluation("hangs", "workload-1"))))
          .as("its places are free again")
          .isEqualTo(new Guard.Outcome.Answered<>(FINE));
    }
  }

  private static Guard.Outcome<Verdict> askAsOthers(GuardSet guards) throws Exception {
    return guards
        .of("one")
        .call(Guard.Question.verdict(evaluation -> FINE, evaluation("others", "well")));
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
        Actors callers = Actors.named("caller");
        Actors threads = Actors.onPlatformThreads("busy-caller")) {
      List<Act<Guard.Outcome<Verdict>>> hung = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String workload = "hung-" + i;
        hung.add(
            callers.ask(
                () ->
                    guards
                        .of("one")
                        .call(Guard.Question.verdict(hanging, evaluation("hangs", workload)))));
      }
      await().untilAsserted(() -> assertThat(running).hasValue(3));

      AtomicBoolean stop = new AtomicBoolean();
      List<Act<Integer>> refused = new ArrayList<>();
      for (int i = 0; i < BUSY_CALLERS; i++) {
        String workload = "waiting-" + i;
        refused.add(
            threads.ask(
                () -> {
                  int others = 0;
                  while (!stop.get()) {
                    Guard.Outcome<Verdict> outcome =
                        guards
                            .of("one")
                            .call(Guard.Question.verdict(hanging, evaluation("hangs", workload)));
                    others += outcome instanceof Guard.Outcome.Busy ? 0 : 1;
                  }
                  return others;
                }));
      }
      List<Guard.Outcome<Verdict>> answers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Guard.Outcome<Verdict> outcome = askAsOthers(guards);
        // On a busy machine the wait for a turn may be longer than a call's patience, once.
        answers.add(outcome instanceof Guard.Outcome.Busy ? askAsOthers(guards) : outcome);
      }
      stop.set(true);
      for (Act<Integer> one : refused) {
        assertThat(one.get()).isZero();
      }
      assertThat(answers).containsOnly(new Guard.Outcome.Answered<>(FINE));
      end.countDown();
      for (Act<Guard.Outcome<Verdict>> one : hung) {
        assertThat(one.get()).isEqualTo(new Guard.Outcome.Answered<>(FINE));
      }
    }
  }
}
