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
package io.github.kueue4j.core.state;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the {@link State}: it takes in events, as many as there are, and then lets
 * the scheduler run, if any of them changed something. Scheduling begins only when it is told to,
 * after the caches were filled: before, reservations that exist might not be known yet.
 */
@API(status = API.Status.INTERNAL)
public final class StateLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StateLoop.class);
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

  private final State state;
  private final InstantSource clock;
  private final Consumer<Duration> cycleTime;
  private final BlockingQueue<Consumer<State>> events = new LinkedBlockingQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread =
      Thread.ofPlatform().name("kueue4j-state").daemon().unstarted(this::run);

  // Touched by the loop's thread only.
  private boolean scheduling;

  /** Whether the scheduler's last turn left nothing that is worth a try. */
  private boolean quiet = true;

  /**
   * A loop that isn't running yet.
   *
   * @param cycleTime told how long each turn of the scheduler took
   */
  public StateLoop(State state, InstantSource clock, Consumer<Duration> cycleTime) {
    this.state = state;
    this.clock = clock;
    this.cycleTime = cycleTime;
  }

  public void start() {
    thread.start();
  }

  /** Lets the scheduler run from now on. */
  public void beginScheduling() {
    post(ignored -> scheduling = true);
  }

  /** Applies a change to the State, soon and in order. */
  public void post(Consumer<State> event) {
    if (!closed.get()) {
      events.add(event);
    }
  }

  /**
   * Reads something off the State, which must not change it; cancelled when the loop ends first.
   */
  public <T> CompletableFuture<T> ask(Function<State, T> question) {
    Question<T> asked = new Question<>(question, new CompletableFuture<>());
    events.add(asked);
    if (closed.get()) {
      // Nobody may be there to answer; whoever waits must not wait for ever.
      asked.answer().cancel(false);
    }
    return asked.answer();
  }

  /** Waits until everything that was posted before this call has been applied. */
  public void catchUp() throws InterruptedException {
    try {
      ask(state -> true).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the scheduler's state can't take in what happened", e);
    }
  }

  private record Question<T>(Function<State, T> question, CompletableFuture<T> answer)
      implements Consumer<State> {
    @Override
    public void accept(State state) {
      try {
        answer.complete(question.apply(state));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  /**
   * Whether the scheduler has nothing left to try, as far as it knows: of what was posted before
   * the answer to an earlier question, everything.
   */
  public CompletableFuture<Boolean> rests() {
    return ask(state -> quiet);
  }

  private void run() {
    while (!closed.get()) {
      List<Consumer<State>> batch = new ArrayList<>();
      try {
        if (quiet) {
          batch.add(events.take());
        }
      } catch (InterruptedException e) {
        // Only close() interrupts.
        return;
      }
      events.drainTo(batch);
      boolean changed = false;
      for (Consumer<State> event : batch) {
        guarded(() -> event.accept(state));
        changed |= !(event instanceof Question<?>);
      }
      // A turn may wake those that wait in vain: not for everybody who only asks.
      if (changed || !quiet) {
        quiet = !scheduling || schedule();
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

  /** One poisoned object must not stop the others. */
  private static void guarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("An event could not be applied to the scheduler's state");
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
