// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the {@link State}. It takes in all events that have arrived, and then runs
 * the scheduler if any of them changed something. Scheduling begins with {@link #beginScheduling},
 * after the caches were filled: until then, reservations may exist that aren't known yet.
 */
@API(status = API.Status.INTERNAL)
public final class StateLoop implements WriteOutcomes, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StateLoop.class);
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

  /**
   * The longest that one step may take before the loop counts as stuck, in wire time: far longer
   * than a turn of the scheduler over the largest cluster that the benchmarks know.
   */
  static final Duration STUCK_AFTER = Duration.ofSeconds(60);

  /** How often an idle loop gives a sign of life. */
  private static final Duration IDLE_BEAT = Duration.ofSeconds(1);

  private final State state;
  private final InstantSource clock;
  private final Consumer<Duration> cycleTime;
  private final BlockingQueue<Consumer<State>> events = new LinkedBlockingQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Heartbeat heartbeat;
  private final Thread thread;

  // Used by the loop's thread only.
  private boolean scheduling;

  /** Whether the scheduler's last turn left no head that is worth a try. */
  private boolean quiet = true;

  /** The snapshot of the State as it is now; null if none has been taken since it changed. */
  private @Nullable StateSnapshot snapshot;

  /**
   * A loop that isn't running yet.
   *
   * @param cycleTime receives the duration of each turn of the scheduler
   * @param wireTime for the sign of life: real time that isn't set back or forward
   * @param fatalErrors what happens after an Error on the loop's thread
   * @param threads makes it
   */
  public StateLoop(
      State state,
      InstantSource clock,
      Consumer<Duration> cycleTime,
      InstantSource wireTime,
      FatalErrors fatalErrors,
      Threads threads) {
    this.state = state;
    this.clock = clock;
    this.cycleTime = cycleTime;
    this.heartbeat = new Heartbeat(wireTime, STUCK_AFTER);
    this.thread =
        threads
            .daemons()
            .name("kueue4j-state")
            .uncaughtExceptionHandler(fatalErrors)
            .unstarted(this::run);
  }

  public void start() {
    heartbeat.beat();
    thread.start();
  }

  /** Why the process should be restarted: the loop has ended by itself or is stuck. */
  public List<String> problems() {
    if (closed.get()) {
      return List.of();
    }
    if (thread.getState() == Thread.State.TERMINATED) {
      return List.of("the thread of the scheduler's state has ended");
    }
    return heartbeat.silence().stream()
        .map(age -> "the scheduler's state has taken no step for " + age.toSeconds() + " s")
        .toList();
  }

  /** Runs the scheduler from now on. */
  public void beginScheduling() {
    post(
        state -> {
          scheduling = true;
          // The workers begin now, too: what they release isn't to be forgotten before the first
          // turn.
          state.takeOver();
        });
  }

  /** Applies a change to the State, soon and in order. */
  public void post(Consumer<State> event) {
    if (!closed.get()) {
      events.add(event);
    }
  }

  @Override
  public void written(Workload workload) {
    post(state -> state.workloads().written(workload, clock.instant()));
  }

  @Override
  public void reservationWritten(AssumedReservation reservation, Workload written) {
    post(state -> state.workloads().reservationWritten(reservation, written, clock.instant()));
  }

  @Override
  public void reservationFailed(AssumedReservation reservation, Duration pause) {
    post(state -> state.workloads().reservationFailed(reservation, pause, clock.instant()));
  }

  @Override
  public void preemptionFailed(PreemptionOrder order, Duration pause) {
    post(state -> state.workloads().preemptionFailed(order, pause, clock.instant()));
  }

  /** Reads from the State; cancelled when the loop ends first. */
  public <T> CompletableFuture<T> ask(Function<QueueReports, T> question) {
    Question<T> asked = new Question<>(question, new CompletableFuture<>());
    events.add(asked);
    if (closed.get()) {
      // The thread may have ended without answering; the caller must not wait forever.
      asked.answer().cancel(false);
    }
    return asked.answer();
  }

  /** Everything that the State knows: the same object for as long as nothing changes. */
  public CompletableFuture<StateSnapshot> snapshot() {
    return ask(
        reports -> {
          StateSnapshot known = snapshot;
          if (known == null) {
            known = reports.snapshot();
            snapshot = known;
          }
          return known;
        });
  }

  @Override
  public void catchUp() throws InterruptedException {
    try {
      ask(reports -> true).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the scheduler's state can't take in events", e);
    }
  }

  private record Question<T>(Function<QueueReports, T> question, CompletableFuture<T> answer)
      implements Consumer<State> {
    @Override
    public void accept(State state) {
      try {
        answer.complete(question.apply(state.reports()));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  /**
   * Whether the scheduler has no head left to try. Events that were posted before an earlier
   * question was answered are taken into account.
   */
  public CompletableFuture<Boolean> rests() {
    return ask(reports -> quiet);
  }

  private void run() {
    while (!closed.get()) {
      List<Consumer<State>> batch = new ArrayList<>();
      try {
        heartbeat.beat();
        if (quiet) {
          Consumer<State> first = events.poll(IDLE_BEAT.toMillis(), TimeUnit.MILLISECONDS);
          if (first == null) {
            continue;
          }
          batch.add(first);
        }
      } catch (InterruptedException e) {
        // Only close() interrupts.
        return;
      }
      events.drainTo(batch);
      boolean changed = false;
      for (Consumer<State> event : batch) {
        heartbeat.beat();
        guarded(() -> event.accept(state));
        if (!(event instanceof Question<?>)) {
          changed = true;
          snapshot = null;
        }
      }
      // A turn of the scheduler may wake workers in vain, so that questions don't lead to one.
      if (changed || !quiet) {
        heartbeat.beat();
        if (scheduling) {
          quiet = schedule();
        } else {
          quiet = true;
          guarded(() -> state.settle(clock.instant()));
        }
        snapshot = null;
      }
    }
  }

  private boolean schedule() {
    long start = System.nanoTime();
    boolean[] done = {true};
    guarded(() -> done[0] = state.schedule(clock.instant()));
    cycleTime.accept(Duration.ofNanos(System.nanoTime() - start));
    return done[0];
  }

  /** Keeps an object that can't be processed from stopping the thread. */
  private static void guarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("Could not apply an event to the scheduler's state");
    }
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(JOIN_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Consumer<State> event : events) {
      if (event instanceof Question<?> question) {
        question.answer().cancel(false);
      }
    }
  }
}
