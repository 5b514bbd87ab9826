// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.internal.Attempts;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a check holds is given up whichever way its workload goes. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class CleanupTest extends EvaluatorFixture {

  /** What is held for the reservation that the test begins with. */
  private final Holding holding = present();

  private final Bookings check = new Bookings();

  @Test
  void aWorkloadThatIsDeletedWithItsQuotaIsCleanedUpUntilThatSucceeds() throws Exception {
    evaluate();
    workloads.sync();
    evaluate();
    cluster.remove(KueueTypes.WORKLOAD, KEY);
    workloads.sync();

    check.broken = true;
    assertThatThrownBy(this::evaluate).hasMessage("not now");
    check.broken = false;
    evaluate();
    evaluate();

    assertThat(check.deleted).containsExactly(holding);
    assertThat(check.cleanedUp).isEmpty();
    assertThat(memory.size()).isZero();
  }

  @Test
  void aWorkloadOfTheSameNameIsAnotherAndNeedNotWait() throws Exception {
    evaluate();
    reserved(T0.plusSeconds(30));
    change(
        workload -> {
          workload.getAsJsonObject("metadata").addProperty("uid", "uid-2");
          entryOf(workload, "budget").addProperty("state", "Pending");
        });

    check.broken = true;
    assertThatThrownBy(this::evaluate).hasMessage("not now");
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    check.broken = false;
    workloads.sync();
    evaluate();

    assertThat(check.deleted).containsExactly(holding);
    assertThat(memory.holdings(KEY)).containsExactly(present());
  }

  @Test
  void aQueueThatNoLongerAsksTheCheckEndsItToo() throws Exception {
    evaluate();
    workloads.sync();
    evaluate();
    change(workload -> removeEntry(workload.getAsJsonObject("status"), "budget"));

    evaluate();
    evaluate();

    assertThat(check.cleanedUp).containsExactly(holding);
  }

  @Test
  void afterAStartWhatIsHeldForWorkloadsThatAreGoneIsFound() throws Exception {
    ObjectKey gone = new ObjectKey("team-a", "gone");
    Holding lost = new Holding(gone, "uid-0", "budget", "attempt-0");
    check.owned = List.of(holding, lost);
    List<ObjectKey> queue = new ArrayList<>();
    OrphanScan scan = new OrphanScan(check, memory, calls(), queue::add);

    check.broken = true;
    assertThatThrownBy(scan::once).hasMessage("not now");
    check.broken = false;
    scan.once();
    scan.once();
    assertThat(queue).containsExactly(KEY, gone);
    evaluate();
    reconciler(new ParametersLookup.Constant<>(NoParameters.INSTANCE), check).reconcile(gone);

    assertThat(check.deleted).containsExactly(lost);
    assertThat(check.cleanedUp).isEmpty();
  }

  @Test
  void whatIsHeldIsGivenUpOnceTheQuotaIsGone() throws Exception {
    evaluate();
    workloads.sync();
    evaluate();
    assertThat(check.cleanedUp).isEmpty();

    evict();
    workloads.sync();
    check.broken = true;
    assertThatThrownBy(this::evaluate).hasMessage("not now");
    check.broken = false;
    evaluate();
    evaluate();
    assertThat(check.cleanedUp).containsExactly(holding);

    reserved(T0.plusSeconds(30));
    workloads.sync();
    Holding second = present();
    evaluate();
    change(workload -> condition(workload, "Finished", "True", T0.plusSeconds(60)));
    evaluate();
    assertThat(check.cleanedUp).containsExactly(holding, second);
  }

  /** The eviction and the new reservation came so close together that no worker saw them apart. */
  @Test
  void changedParametersDoNotHaveAFinishedWorkloadCleanedUpAgain() throws Exception {
    evaluate();
    change(workload -> condition(workload, "Finished", "True", T0.plusSeconds(60)));
    evaluate();
    evaluate();
    assertThat(check.cleanedUp).containsExactly(holding);

    List<ObjectKey> queue = new ArrayList<>();
    new WakeUps(workloads, memory, List.of(time), queue::add)
        .parametersChanged("budget", new Resolution.Found<>("weekends", "u/2"));
    evaluate();

    assertThat(queue).isEmpty();
    assertThat(check.cleanedUp).containsExactly(holding);
  }

  /** It gave everything up when it lost its quota. */
  @Test
  void changedParametersDoNotHaveAWaitingWorkloadCleanedUpAgain() throws Exception {
    evaluate();
    evict();
    change(
        workload -> {
          condition(workload, "QuotaReserved", "False", T0.plusSeconds(12));
          condition(workload, "Requeued", "False", T0.plusSeconds(12));
          workload.getAsJsonObject("status").remove("admission");
        });
    evaluate();
    assertThat(check.cleanedUp).containsExactly(holding);

    List<ObjectKey> queue = new ArrayList<>();
    new WakeUps(workloads, memory, List.of(time), queue::add)
        .parametersChanged("budget", new Resolution.Found<>("weekends", "u/2"));
    evaluate();

    assertThat(queue).containsExactly(KEY);
    assertThat(check.cleanedUp).containsExactly(holding);
  }

  @Test
  void aReservationThatEndedUnseenIsGivenUpBeforeTheNextIsJudged() throws Exception {
    check.verdict = Verdict.pending("booking");
    evaluate();
    reserved(T0.plusSeconds(30));
    workloads.sync();
    Holding second = present();

    check.broken = true;
    assertThatThrownBy(this::evaluate).hasMessage("not now");
    check.broken = false;
    evaluate();
    evaluate();

    assertThat(check.cleanedUp).containsExactly(holding);
    assertThat(memory.holdings(KEY)).containsExactly(second);
    assertThat(check.attempts).containsExactly(holding.attempt(), second.attempt());
  }

  @Test
  void anAttemptHasOneIdForAllItsEvaluationsAndProcesses() throws Exception {
    check.verdict = Verdict.pending("booking", Duration.ofSeconds(5));
    evaluate();
    workloads.sync();
    time.advance(Duration.ofSeconds(6));
    evaluate();
    memory = new EvaluationMemory();
    evaluate();

    assertThat(check.attempts).hasSize(3).containsOnly(holding.attempt());
  }

  @Test
  void afterARestartAnEndedAttemptOfAWorkloadThatIsReservedAgainIsFound() throws Exception {
    reserved(T0.plusSeconds(30));
    workloads.sync();
    check.owned = List.of(holding, present());
    new OrphanScan(check, memory, calls(), key -> {}).once();

    evaluate();

    assertThat(check.cleanedUp).containsExactly(holding);
    assertThat(memory.holdings(KEY)).containsExactly(present());
  }

  @Test
  void afterARestartAWorkloadWithoutQuotaIsGivenUpWhicheverAttemptsThereWere() throws Exception {
    evict();
    workloads.sync();

    evaluate();
    evaluate();

    assertThat(check.cleanedUp).containsExactly(holding.ofAnyAttempt());
  }

  @Test
  void aCleanupThatHangsIsInterruptedAndTriedAgain() throws Exception {
    guards = guards.withTimeout(Duration.ofMillis(50));
    evict();
    workloads.sync();
    CountDownLatch never = new CountDownLatch(1);
    check.slow = () -> never.await(1, TimeUnit.HOURS);

    assertThatThrownBy(this::evaluate).isInstanceOf(TimeoutException.class);
    check.slow = () -> true;
    await()
        .ignoreExceptionsMatching(CleanupTest::untilTheEarlierCallHasEnded)
        .untilAsserted(this::evaluateUntilCleanedUp);
  }

  /** It ends some time after its interruption, and the next call may be slow on a busy machine. */
  private static boolean untilTheEarlierCallHasEnded(Throwable e) {
    return e instanceof IllegalStateException || e instanceof TimeoutException;
  }

  private void evaluateUntilCleanedUp() throws Exception {
    evaluate();
    // The holding of this attempt or that of any attempt: at least once.
    assertThat(check.cleanedUp).map(Holding::uid).contains(holding.uid());
  }

  @Test
  void aListThatHangsIsInterruptedAndAskedForAgain() throws Exception {
    guards = guards.withTimeout(Duration.ofMillis(50));
    CountDownLatch never = new CountDownLatch(1);
    check.slow = () -> never.await(1, TimeUnit.HOURS);
    check.owned = List.of(holding);
    OrphanScan scan = new OrphanScan(check, memory, calls(), key -> {});

    assertThatThrownBy(scan::once).isInstanceOf(TimeoutException.class);
    check.slow = () -> true;
    await()
        .ignoreExceptionsMatching(CleanupTest::untilTheEarlierCallHasEnded)
        .untilAsserted(
            () -> {
              scan.once();
              assertThat(memory.holdings(KEY)).containsExactly(holding);
            });
  }

  /** It has timed out and ignores its interruption: what it books now must not stay behind. */
  @Test
  void nothingIsGivenUpWhileAnEvaluationStillRuns() throws Exception {
    guards = guards.withTimeout(Duration.ofMillis(50));
    CountDownLatch end = new CountDownLatch(1);
    AtomicBoolean began = new AtomicBoolean();
    check.slow =
        () -> {
          began.set(true);
          return stubbornly(end);
        };
    // One that times out before it has begun, on a busy machine, holds nothing back.
    while (!began.get()) {
      memory = new EvaluationMemory();
      evaluate();
    }
    check.slow = () -> true;
    evict();
    workloads.sync();

    assertThat(evaluated()).isInstanceOf(Requeue.At.class);
    assertThat(check.cleanedUp).isEmpty();
    end.countDown();
    await()
        .ignoreExceptionsMatching(CleanupTest::untilTheEarlierCallHasEnded)
        .untilAsserted(this::evaluateUntilCleanedUp);
  }

  private static boolean stubbornly(CountDownLatch end) {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException e) {
        // Ignored on purpose: that is what the test is about.
      }
    }
    return true;
  }

  private Holding present() {
    return Attempts.holding(cluster.get(KueueTypes.WORKLOAD, KEY).orElseThrow(), "budget");
  }

  private void evaluate() throws Exception {
    assertThat(evaluated()).isNotNull();
  }

  private Requeue evaluated() throws Exception {
    return reconciler(new ParametersLookup.Constant<>(NoParameters.INSTANCE), check).reconcile(KEY);
  }

  private static final class Bookings implements Check<NoParameters>, Cleanup {
    private final List<Holding> cleanedUp = new CopyOnWriteArrayList<>();
    private final List<Holding> deleted = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private Collection<Holding> owned = List.of();
    private volatile boolean broken;
    private volatile Callable<Boolean> slow = () -> true;
    private volatile Verdict verdict = Verdict.ready("booked");

    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) throws Exception {
      attempts.add(evaluation.attemptId());
      slow.call();
      return verdict;
    }

    @Override
    public void cleanUp(Workload workload, Holding holding) throws Exception {
      slow.call();
      works();
      cleanedUp.add(holding);
    }

    @Override
    public void cleanUpDeleted(Holding holding) throws IOException {
      works();
      deleted.add(holding);
    }

    @Override
    public Collection<Holding> owned() throws Exception {
      slow.call();
      works();
      return owned;
    }

    private void works() throws IOException {
      if (broken) {
        throw new IOException("not now");
      }
    }
  }
}
