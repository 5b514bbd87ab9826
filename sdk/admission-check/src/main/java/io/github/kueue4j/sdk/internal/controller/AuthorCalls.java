// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.internal.DelayText;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Calls the author's methods, each on a virtual thread of its own and with a timeout. At most one
 * call about a subject runs at a time: one that ignores its interruption prevents later ones until
 * it ends.
 */
final class AuthorCalls implements AutoCloseable {

  /** The subject of a call. */
  sealed interface Subject {

    /** A workload, as one check sees it: its evaluations and its clean-up. */
    static Subject workload(String check, ObjectKey workload) {
      return new OneWorkload(check, workload);
    }

    /** A workload that isn't there; each call is about another. */
    static Subject dry() {
      return new FutureWorkload(new Object());
    }

    /** A check as a whole, such as its probe. */
    static Subject check(String check) {
      return new WholeCheck(check);
    }

    /** An object that a {@link Maintenance} of this name takes care of. */
    static Subject maintenance(String name, ObjectKey object) {
      return new MaintainedObject(name, object);
    }
  }

  private record OneWorkload(String check, ObjectKey workload) implements Subject {}

  private record FutureWorkload(Object call) implements Subject {}

  private record WholeCheck(String check) implements Subject {}

  private record MaintainedObject(String maintenance, ObjectKey object) implements Subject {}

  private final Duration timeout;
  private final ExecutorService threads;
  private final FatalErrors fatalErrors;
  private final Set<Subject> running = ConcurrentHashMap.newKeySet();

  AuthorCalls(Duration timeout, FatalErrors fatalErrors) {
    this(
        timeout,
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("check-", 0).factory()),
        fatalErrors);
  }

  /** Calls on these threads. */
  AuthorCalls(Duration timeout, ExecutorService threads, FatalErrors fatalErrors) {
    this.timeout = timeout;
    this.threads = threads;
    this.fatalErrors = fatalErrors;
  }

  /** Whether a call about the subject still runs. */
  boolean runs(Subject subject) {
    return running.contains(subject);
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

  /**
   * The right to make one call. It must be used, since it excludes other calls about the subject.
   */
  final class Turn {
    private final Subject subject;
    private final Runnable ended;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    private Turn(Subject subject, Runnable ended) {
      this.subject = subject;
      this.ended = ended;
    }

    /**
     * Calls.
     *
     * @throws Exception what the call threw
     * @throws VirtualMachineError if the call ran out of memory, or the JVM is broken: that
     *     concerns the whole process and has been reported. Other Errors, such as a class that is
     *     missing to the author's method or a recursion without end, concern this call, and are the
     *     cause of an ExecutionException.
     * @throws TimeoutException if the call took too long; it is interrupted. The stack is that of
     *     the call, which says what it waits for
     * @throws InterruptedException if the calling thread is interrupted; the call is too
     */
    <T> T call(Callable<T> method) throws Exception {
      Map<String, String> logged =
          Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.<String, String>of());
      // Not by the caller: a call that ignores its interruption still runs after the timeout.
      FutureTask<T> task =
          new FutureTask<>(
              () -> {
                MDC.setContextMap(logged);
                thread = Thread.currentThread();
                try {
                  return method.call();
                } catch (VirtualMachineError broken) {
                  // Reported here, since the caller may have given the call up.
                  if (concernsTheProcess(broken)) {
                    fatalErrors.report(broken);
                  }
                  throw broken;
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
        if (e.getCause() instanceof VirtualMachineError broken && concernsTheProcess(broken)) {
          throw broken;
        }
        // If the author's method throws an InterruptedException, the caller is not interrupted.
        throw e.getCause() instanceof Exception cause && !(cause instanceof InterruptedException)
            ? cause
            : e;
      } catch (TimeoutException e) {
        TimeoutException late = new TimeoutException("no answer within " + DelayText.of(timeout));
        @Nullable Thread began = thread;
        if (began != null) {
          late.setStackTrace(began.getStackTrace());
        }
        task.cancel(true);
        throw late;
      } catch (InterruptedException e) {
        task.cancel(true);
        throw e;
      }
    }

    private static boolean concernsTheProcess(VirtualMachineError broken) {
      return !(broken instanceof StackOverflowError);
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
