// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testkit.script.KueueScript;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One Workload throws, blocks, is slow or gets nonsense for an answer; others, a hundred in a
 * nightly build, are answered as if it weren't there: none is left alone for a while because of it.
 */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class OneWorkloadsTroubleTest {
  /** More than the places which a namespace that hangs leaves to the others, 8 of 32. */
  private static final int OTHERS = Nightly.bound(12, 100);

  private static final String CONTROLLER = "example.com/fair";

  /** What the check does about the one Workload, and how often before the others come. */
  enum Trouble {
    THROWS(15) {
      @Override
      Verdict answer(CountDownLatch over) throws Exception {
        throw new IOException("the annotation of this Workload can't be read");
      }
    },
    OVERFLOWS(15) {
      @Override
      @SuppressWarnings("InfiniteRecursion") // What the test is about.
      Verdict answer(CountDownLatch over) throws Exception {
        return answer(over);
      }
    },
    BLOCKS(3) {
      @Override
      Verdict answer(CountDownLatch over) throws Exception {
        over.await();
        return Verdict.ready("too late");
      }
    },
    BLOCKS_WHATEVER_HAPPENS(1) {
      @Override
      Verdict answer(CountDownLatch over) {
        boolean interrupted = awaitWhateverHappens(over);
        assertThat(interrupted).isTrue();
        return Verdict.ready("too late");
      }
    },
    ANSWERS_NULL(15) {
      @Override
      @SuppressWarnings("NullAway") // What an author does who knows no better.
      Verdict answer(CountDownLatch over) {
        return null;
      }
    },
    UPDATES_WHAT_IS_NOT_THERE(5) {
      @Override
      Verdict answer(CountDownLatch over) {
        return Verdict.ready(
            "nonsense",
            List.of(new PodSetUpdate("nobody", Map.of(), Map.of(), Map.of(), List.of())));
      }
    };

    private final int calls;

    Trouble(int calls) {
      this.calls = calls;
    }

    abstract Verdict answer(CountDownLatch over) throws Exception;

    /** In real time, for all evaluations; short only where the trouble is that one takes longer. */
    private Duration timeout() {
      return this == BLOCKS || this == BLOCKS_WHATEVER_HAPPENS
          ? Duration.ofSeconds(1)
          : Patience.LIMIT;
    }
  }

  @ParameterizedTest
  @EnumSource
  void touchesNoOther(Trouble trouble) throws Exception {
    ManualTime time = ManualTime.create();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(1);
    Check<NoParameters> check =
        evaluation -> {
          if (!evaluation.key().name().equals("trouble")) {
            return Verdict.ready("well");
          }
          calls.incrementAndGet();
          return trouble.answer(over);
        };
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect("fair");
        CheckController controller =
            CheckController.builder(
                    CONTROLLER,
                    CheckEnvironment.of(cluster, time)
                        .withGuards(limits -> limits.withTimeout(trouble.timeout())))
                .check(check)
                .build()) {
      kueue.admissionCheck("fair", CONTROLLER);
      controller.start();
      ObjectKey troubled = kueue.workload("trouble");
      kueue.reserve(troubled, "fair");
      await()
          .until(
              () -> {
                if (kueue.entry(troubled, "fair").is(CheckState.RETRY)) {
                  // The error budget is spent; it comes back.
                  kueue.release(troubled);
                  kueue.requeue(troubled);
                  kueue.reserve(troubled, "fair");
                }
                time.advance(Duration.ofSeconds(10));
                return calls.get() >= trouble.calls;
              });

      List<ObjectKey> others =
          IntStream.range(0, OTHERS).mapToObj(i -> kueue.workload("well-" + i)).toList();
      others.forEach(other -> kueue.reserve(other, "fair"));

      for (ObjectKey other : others) {
        await()
            .until(
                () -> {
                  // A busy machine may let one time out, too; it is asked about again a second
                  // later.
                  time.advance(Duration.ofMillis(10));
                  AdmissionCheckState entry = kueue.entry(other, "fair");
                  assertThat(isLeftAlone(entry)).as(entry.message()).isFalse();
                  return entry.is(CheckState.READY);
                });
      }
      assertThat(kueue.entry(troubled, "fair").is(CheckState.READY)).isFalse();
    } finally {
      over.countDown();
    }
  }

  /**
   * There are more of them than may run at once; they hold their workers, or hang past their time.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNamespaceWhoseEvaluationsHangTouchesNoOther(boolean pastTheirTime) throws Exception {
    Duration timeout = pastTheirTime ? Duration.ofSeconds(1) : Duration.ofHours(1);
    ManualTime time = ManualTime.create();
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    Check<NoParameters> check =
        evaluation -> {
          if (!evaluation.namespace().equals("hangs")) {
            return Verdict.ready("well");
          }
          hanging.incrementAndGet();
          awaitWhateverHappens(over);
          return Verdict.ready("too late");
        };
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect("fair");
        CheckController controller =
            CheckController.builder(
                    CONTROLLER,
                    CheckEnvironment.of(cluster, time)
                        .withGuards(limits -> limits.withTimeout(timeout)))
                .check(check)
                .build()) {
      kueue.admissionCheck("fair", CONTROLLER);
      controller.start();
      int places = Guards.defaults().maxConcurrentEvaluations();
      try (KueueScript theirs = kueue.namespace("hangs")) {
        List<PlayedWorkload> hung =
            IntStream.range(0, places + 8)
                .mapToObj(i -> theirs.workload("hangs-" + i).reserve("fair"))
                .toList();
        // The first may have timed out before the last began.
        await()
            .until(
                () ->
                    hanging.get() >= places / 2
                        || hung.stream().anyMatch(one -> isLeftAlone(one.entry("fair"))));

        List<ObjectKey> others =
            IntStream.range(0, OTHERS).mapToObj(i -> kueue.workload("well-" + i)).toList();
        others.forEach(other -> kueue.reserve(other, "fair"));

        for (ObjectKey other : others) {
          await()
              .until(
                  () -> {
                    // A breaker that opens lets nothing of its namespaces pass for 30 s.
                    time.advance(Duration.ofMillis(10));
                    return kueue.entry(other, "fair").is(CheckState.READY);
                  });
        }
        over.countDown(); // Before the controller waits for them.
      }
    } finally {
      over.countDown();
    }
  }

  /** Whether the breaker is open. */
  private static boolean isLeftAlone(AdmissionCheckState entry) {
    return entry.message().contains("left alone");
  }

  /** Heeds no interruption, as some libraries do; returns whether there was one. */
  private static boolean awaitWhateverHappens(CountDownLatch over) {
    boolean interrupted = false;
    while (over.getCount() > 0) {
      try {
        over.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
