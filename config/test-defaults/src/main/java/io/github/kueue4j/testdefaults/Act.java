// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One thing that an actor does.
 *
 * @param <T> what comes of it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Act<T> {
  private final String name;
  private final Duration patience;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private volatile @Nullable T result;
  private volatile @Nullable Throwable failure;
  private volatile boolean canceled;
  private volatile boolean seen;

  Act(String name, Duration patience) {
    this.name = name;
    this.patience = patience;
  }

  String name() {
    return name;
  }

  void thread(Thread own) {
    thread = own;
  }

  void succeeded(T value) {
    result = value;
  }

  void failed(Throwable cause) {
    failure = cause;
  }

  void refused() {
    failure = new CancellationException(name + " was not begun: its actors are closed");
    end.countDown();
  }

  void end() {
    end.countDown();
  }

  /** The thread in which it is done, for tests that interrupt it or look at its state. */
  public Thread thread() {
    Thread own = thread;
    if (own == null) {
      throw new IllegalStateException(name + " has no thread yet");
    }
    return own;
  }

  /** Whether it waits for something, without a limit. */
  public boolean isWaiting() {
    return thread().getState() == Thread.State.WAITING;
  }

  boolean isOwn() {
    return thread() == Thread.currentThread();
  }

  /** Whether it is over, however it went. */
  public boolean hasEnded() {
    return end.getCount() == 0;
  }

  /**
   * Waits for what comes of it.
   *
   * @throws RuntimeException what it failed with; an exception that is checked as the cause of a
   *     {@link CompletionException}
   * @throws AssertionError if it takes longer than the patience of its actors, which is a minute,
   *     with what it is doing
   */
  public T get() {
    return get(patience);
  }

  /**
   * The same with another patience, for what takes long.
   *
   * @throws AssertionError if it takes longer, with what it is doing
   */
  public T get(Duration longest) {
    await(longest);
    Throwable cause = failure;
    seen = true;
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause != null) {
      throw new CompletionException(cause);
    }
    return result();
  }

  @SuppressWarnings("NullAway") // a question that is answered with null is asked with such a T
  private T result() {
    return result;
  }

  /**
   * Waits until it is over, however it went.
   *
   * @throws AssertionError if it takes longer than the patience of its actors, which is a minute,
   *     with what it is doing
   */
  public void await() {
    await(patience);
  }

  private void await(Duration longest) {
    if (awaitUntil(System.nanoTime() + longest.toNanos())) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the waiting thread was interrupted meanwhile. */
  boolean awaitUntil(long deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        if (end.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return interrupted;
        }
        throw new AssertionError(name + " does not end; it is at\n" + where());
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private String where() {
    return Arrays.stream(thread().getStackTrace())
        .map(frame -> "    at " + frame)
        .collect(Collectors.joining("\n"));
  }

  /** Interrupts it; what it fails with from now on is forgiven. */
  public void cancel() {
    canceled = true;
    interrupt();
  }

  void interrupt() {
    thread().interrupt();
  }

  boolean canceled() {
    return canceled;
  }

  boolean seen() {
    return seen;
  }

  AssertionError error() {
    return new AssertionError(name + " failed: " + failure, failure);
  }
}
