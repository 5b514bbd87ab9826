/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fence.Phase;
import io.github.kueue4j.sdk.fence.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles one workload: evaluates the checks that are due and has their verdicts written. */
final class Evaluator<P> implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(Evaluator.class);
  private static final Reason EVALUATION_FAILED = Reason.of("EvaluationFailed");
  private static final int LONGEST_CAUSE = 300;

  /** When to look again after a decision that the informer has not shown yet. */
  private static final Duration INFORMER_LAG = Duration.ofMinutes(1);

  private static final Duration SOON = Duration.ofSeconds(1);

  private final AdmissionCheck<P> author;
  private final AdmissionChecks<P> checks;
  private final Informer<Workload> workloads;
  private final PodSets podSets;
  private final Cleanups cleanups;
  private final Memory memory;
  private final GuardSet guardSet;
  private final VerdictWriter writer;
  private final DroppedDelays droppedDelays;
  private final CheckMetrics metrics;
  private final Timing timing;

  /**
   * How an evaluator goes by time and chance.
   *
   * @param pendingEvery when a Pending without a recheck time is evaluated again at the latest
   */
  record Timing(
      TimeSource time, RandomGenerator random, Duration pendingEvery, Due.Rechecks rechecks) {}

  /** One evaluation that is under way. */
  private record Task(
      ObjectKey key,
      Workload workload,
      AdmissionCheckState entry,
      Progress.Basis basis,
      boolean woken,
      Instant start) {
    String check() {
      return entry.name();
    }

    int attempt() {
      return basis.token().entry().retryCount();
    }
  }

  Evaluator(
      AdmissionCheck<P> author,
      AdmissionChecks<P> checks,
      Informer<Workload> workloads,
      PodSets podSets,
      Memory memory,
      GuardSet guardSet,
      VerdictWriter writer,
      DroppedDelays droppedDelays,
      CheckMetrics metrics,
      Timing timing) {
    this.author = author;
    this.checks = checks;
    this.workloads = workloads;
    this.podSets = podSets;
    this.cleanups = new Cleanups(author, memory, guardSet.calls());
    this.memory = memory;
    this.guardSet = guardSet;
    this.writer = writer;
    this.droppedDelays = droppedDelays;
    this.metrics = metrics;
    this.timing = timing;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws Exception {
    Optional<Workload> workload = workloads.get(key);
    Set<String> own = new HashSet<>();
    Cleanups.Outcome orphans = cleanups.giveUpOrphans(key, workload);
    @Nullable Instant next = orphans.kept() ? timing.time().instant().plus(SOON) : null;
    @Nullable Exception failure = orphans.failure();
    if (workload.isPresent()) {
      for (AdmissionCheckState entry : workload.get().status().admissionChecks()) {
        Optional<io.github.kueue4j.api.AdmissionCheck> check = checks.own(entry.name());
        if (check.isPresent()) {
          own.add(entry.name());
          try {
            next = earlier(next, judgeIfDue(key, workload.get(), entry, check.get()));
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            // The next check must not wait for this one to be mended.
            failure = first(failure, e);
          }
        }
      }
    }
    memory.keepOnly(key, own);
    if (failure != null) {
      throw failure;
    }
    return next == null ? Requeue.never() : Requeue.at(next);
  }

  private static Exception first(@Nullable Exception before, Exception now) {
    if (before == null) {
      return now;
    }
    before.addSuppressed(now);
    return before;
  }

  /** Evaluates one check if it is due, and returns when to look again. */
  private @Nullable Instant judgeIfDue(
      ObjectKey key,
      Workload workload,
      AdmissionCheckState entry,
      io.github.kueue4j.api.AdmissionCheck check)
      throws Exception {
    Resolution<P> parameters = checks.parameters(check);
    Instant now = timing.time().instant();
    Progress.Basis basis = basis(workload, entry, parameters);
    boolean woken = memory.isWoken(key, entry.name());
    Phase phase = Phase.of(workload);
    Cleanups.Outcome cleanup = cleanups.giveUpIfOver(workload, entry.name(), phase);
    if (cleanup.failure() != null) {
      throw cleanup.failure();
    }
    if (cleanup.kept()) {
      return now.plus(SOON);
    }
    Due due =
        Due.of(
            phase, entry, basis, memory.progress(key, entry.name()), woken, timing.rechecks(), now);
    return switch (due) {
      case Due.Never never -> {
        forgetWakeUp(key, entry);
        yield null;
      }
      case Due.At at -> {
        forgetWakeUp(key, entry);
        yield at.when();
      }
      case Due.Now dueNow -> {
        memory.takeWoken(key, entry.name());
        boolean done = false;
        try {
          @Nullable Instant next =
              judge(new Task(key, workload, entry, basis, woken, now), parameters);
          done = true;
          yield next;
        } finally {
          if (!done && woken) {
            memory.keepWoken(key, entry.name());
          }
        }
      }
    };
  }

  private void forgetWakeUp(ObjectKey key, AdmissionCheckState entry) {
    if (!timing.rechecks().keepWakeUps(entry)) {
      memory.takeWoken(key, entry.name());
    }
  }

  private Progress.Basis basis(
      Workload workload, AdmissionCheckState entry, Resolution<P> parameters) {
    String version =
        switch (parameters) {
          case Resolution.Found<P> found -> found.version();
          case Resolution.Bad<P> bad -> bad.message();
        };
    return new Progress.Basis(
        Token.of(workload, entry.name()).orElseThrow(),
        Objects.requireNonNullElse(workload.metadata().getGeneration(), 0L),
        version);
  }

  private @Nullable Instant judge(Task task, Resolution<P> parameters) throws InterruptedException {
    return switch (parameters) {
      case Resolution.Found<P> found -> evaluate(task, found.value());
      case Resolution.Bad<P> bad ->
          settle(task, new Verdict.Unchanged("The check is not active: " + bad.message()));
    };
  }

  private @Nullable Instant evaluate(Task task, P parameters) throws InterruptedException {
    Duration timeout = guardSet.guards().timeout();
    Evaluation<P> evaluation =
        new Evaluation<>(
            task.check(),
            task.workload(),
            podSets.of(task.workload()),
            task.entry(),
            parameters,
            task.start(),
            task.start().plus(timeout));
    CheckMetrics.Stopwatch stopwatch = metrics.start(task.check());
    Guard.Outcome outcome = guardSet.of(task.check()).call(author, evaluation);
    stopwatch.stop(outcome);
    return switch (outcome) {
      case Guard.Outcome.Answered answered -> answered(task, answered.verdict());
      case Guard.Outcome.Failed failed -> failed(task, failed.cause());
      case Guard.Outcome.LeftAlone leftAlone -> leftAlone(task, leftAlone.tryAgainIn());
      case Guard.Outcome.Busy busy -> {
        memory.forget(task.key(), task.check());
        keepWakeUp(task);
        yield timing.time().instant().plus(SOON);
      }
    };
  }

  private @Nullable Instant answered(Task task, Verdict verdict) {
    try {
      return settle(task, resolved(task, verdict));
    } catch (RefusedVerdictException e) {
      return failed(task, e);
    }
  }

  /** The verdict with its delay computed once: the fence may be asked about it several times. */
  private Verdict resolved(Task task, Verdict verdict) {
    if (!(verdict instanceof Verdict.Retry retry)) {
      return verdict;
    }
    Delay delay =
        retry
            .delay()
            .resolve(task.attempt(), timing.time().instant(), timing.random())
            .map(Delay::exactly)
            .orElseGet(Delay::none);
    return new Verdict.Retry(retry.reason(), retry.message(), delay);
  }

  /**
   * The verdict, or for a server that drops delays a Pending that lasts as long as the last Retry
   * asked for: otherwise the workload would be evicted again and again without a pause.
   */
  private Verdict delayedHere(Task task, Verdict verdict) {
    Instant now = timing.time().instant();
    Instant notBefore = memory.retryNotBefore(task.key(), task.check());
    return verdict instanceof Verdict.Retry retry
            && task.entry().is(CheckState.PENDING)
            && droppedDelays.concern(task.check())
            && notBefore.isAfter(now)
        ? Verdict.pending(retry.message(), Duration.between(now, notBefore))
        : verdict;
  }

  private void rememberDelay(Task task, Verdict verdict, Instant now) {
    if (verdict instanceof Verdict.Retry retry
        && retry.delay() instanceof Delay.Exact exact
        && droppedDelays.concern(task.check())) {
      memory.retryNotBefore(task.key(), task.check(), now.plus(exact.duration()));
    }
  }

  /** Has the verdict written, and remembers when to ask again. */
  private @Nullable Instant settle(Task task, Verdict asked) {
    Verdict verdict = delayedHere(task, asked);
    VerdictWriter.Fate fate = writer.write(task.key(), task.check(), task.basis().token(), verdict);
    Instant now = timing.time().instant();
    return switch (fate) {
      case STANDS -> {
        rememberDelay(task, verdict, now);
        Progress progress = answered(task, verdict, now);
        memory.remember(task.key(), task.check(), progress);
        yield progress.next();
      }
      case DROPPED -> {
        memory.forget(task.key(), task.check());
        yield null;
      }
      case EVALUATE_ANEW -> {
        // The informer's next change does so; this is for a change that it has shown already.
        memory.forget(task.key(), task.check());
        keepWakeUp(task);
        yield now.plus(SOON);
      }
    };
  }

  private Progress answered(Task task, Verdict verdict, Instant now) {
    Progress.Basis basis = task.basis();
    if (task.entry().is(CheckState.READY)) {
      @Nullable Duration every = timing.rechecks().readyEvery();
      return Progress.answered(basis, every == null ? null : now.plus(every));
    }
    if (basis.token().wakes()) {
      return Progress.answered(basis, null);
    }
    return switch (verdict) {
      case Verdict.Pending pending ->
          Progress.answered(
              basis,
              now.plus(Objects.requireNonNullElse(pending.recheckIn(), timing.pendingEvery())));
      case Verdict.Unchanged unchanged -> Progress.answered(basis, now.plus(timing.pendingEvery()));
      case Verdict.Ready ready -> Progress.decided(basis, now.plus(INFORMER_LAG));
      case Verdict.Retry retry -> Progress.decided(basis, now.plus(INFORMER_LAG));
      case Verdict.Rejected rejected -> Progress.decided(basis, now.plus(INFORMER_LAG));
    };
  }

  private @Nullable Instant failed(Task task, Exception cause) {
    log.atWarn()
        .addKeyValue("workload", task.key())
        .addKeyValue("check", task.check())
        .setCause(cause)
        .log("An evaluation failed");
    Instant now = timing.time().instant();
    @Nullable Progress before = memory.progress(task.key(), task.check());
    Progress failure = Progress.failed(task.basis(), before, now, now);
    Duration wait =
        guardSet.guards().errorBackoff().delay(failure.failures() - 1, now, timing.random());
    return afterFailure(
        task,
        failure.withNext(now.plus(wait)),
        "The evaluation failed and will be tried again: " + summary(cause));
  }

  private @Nullable Instant leftAlone(Task task, Duration tryAgainIn) {
    Instant now = timing.time().instant();
    @Nullable Progress before = memory.progress(task.key(), task.check());
    return afterFailure(
        task,
        Progress.failed(task.basis(), before, now, now.plus(tryAgainIn)),
        "Evaluations of this check keep failing; it is left alone for a while");
  }

  private @Nullable Instant afterFailure(Task task, Progress failure, String message) {
    if (task.basis().token().wakes()) {
      // The delay that stands in the object goes on meanwhile.
      memory.remember(task.key(), task.check(), failure);
      keepWakeUp(task);
      return failure.next();
    }
    Instant since = Objects.requireNonNull(failure.failingSince());
    Duration failing = Duration.between(since, timing.time().instant());
    boolean spent = failing.compareTo(guardSet.guards().errorBudget()) >= 0;
    if (spent && task.entry().is(CheckState.PENDING)) {
      return settle(
          task,
          resolved(
              task, Verdict.retry(EVALUATION_FAILED, message, guardSet.guards().afterErrors())));
    }
    @Nullable Instant next = settle(task, new Verdict.Unchanged(message));
    if (memory.progress(task.key(), task.check()) == null) {
      return next;
    }
    memory.remember(task.key(), task.check(), failure);
    return failure.next();
  }

  private void keepWakeUp(Task task) {
    if (task.woken()) {
      memory.keepWoken(task.key(), task.check());
    }
  }

  private static String summary(Exception cause) {
    String text = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    return text.length() <= LONGEST_CAUSE ? text : text.substring(0, LONGEST_CAUSE) + " ...";
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }
}
