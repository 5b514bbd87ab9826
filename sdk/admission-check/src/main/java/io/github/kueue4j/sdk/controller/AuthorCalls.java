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

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls the author's methods, each on a virtual thread of its own and with a timeout. Of one
 * subject at most one runs at a time: a call that ignores its interruption keeps later ones out
 * until it ends.
 */
final class AuthorCalls implements AutoCloseable {

  /**
   * What a call is about.
   *
   * @param workload the empty key for what concerns a check as a whole
   */
  record Subject(String check, ObjectKey workload) {
    private static final ObjectKey NO_WORKLOAD = ObjectKey.cluster("");

    static Subject check(String check) {
      return new Subject(check, NO_WORKLOAD);
    }
  }

  private final Duration timeout;
  private final ExecutorService threads;
  private final Set<Subject> running = ConcurrentHashMap.newKeySet();

  AuthorCalls(Duration timeout) {
    this(
        timeout,
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("check-", 0).factory()));
  }

  /** Calls on these threads. */
  AuthorCalls(Duration timeout, ExecutorService threads) {
    this.timeout = timeout;
    this.threads = threads;
  }

  /**
   * Reserves the subject for one call.
   *
   * @param ended runs when the call has really ended, which may be after its timeout; also when it
   *     never began
   * @return empty if a call about the subject still runs
   */
  Optional<Turn> turn(Subject subject, Runnable ended) {
    return running.add(subject) ? Optional.of(new Turn(subject, ended)) : Optional.empty();
  }

  /** The right to make one call; make it. */
  final class Turn {
    private final Subject subject;
    private final Runnable ended;
    private final AtomicBoolean over = new AtomicBoolean();

    private Turn(Subject subject, Runnable ended) {
      this.subject = subject;
      this.ended = ended;
    }

    /**
     * Calls.
     *
     * @throws Exception what the call threw
     * @throws TimeoutException if the call took too long; it is interrupted
     * @throws InterruptedException if the calling thread is interrupted; the call is too
     */
    <T> T call(Callable<T> method) throws Exception {
      // Not in the caller: a call that ignores its interruption still runs.
      FutureTask<T> task =
          new FutureTask<>(
              () -> {
                try {
                  return method.call();
                } finally {
                  end();
                }
              });
      threads.execute(
          () -> {
            try {
              task.run();
            } finally {
              // A task that is cancelled before it began calls nothing.
              end();
            }
          });
      try {
        return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        // An InterruptedException of the author's is not one of the caller's.
        throw e.getCause() instanceof Exception cause && !(cause instanceof InterruptedException)
            ? cause
            : e;
      } catch (TimeoutException e) {
        task.cancel(true);
        throw new TimeoutException("no answer within " + timeout);
      } catch (InterruptedException e) {
        task.cancel(true);
        throw e;
      }
    }

    private void end() {
      if (over.compareAndSet(false, true)) {
        running.remove(subject);
        ended.run();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
