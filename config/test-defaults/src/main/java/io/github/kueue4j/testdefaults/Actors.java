// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The threads of whatever plays a part in a test: users, controllers, servers, chaos. They have one
 * owner, and none of them outlives it.
 *
 * <pre>{@code
 * try (Actors users = Actors.named("user")) {
 *   users.start(() -> api.create(job));
 *   Act<Answer> answer = users.ask(() -> api.get(job));
 *   assertThat(answer.get()).isEqualTo(...);
 * }
 * }</pre>
 *
 * <p>{@link #close} refuses new work, interrupts what runs, waits until all of it has ended, and
 * then throws what failed before the close began. What fails afterwards is forgiven: a request that
 * is under way while its server goes can't succeed. So whatever the actors use is closed after
 * them.
 *
 * <p>Only this class makes threads in tests; an architecture rule holds the others to it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Actors implements Executor, AutoCloseable {
  private static final Duration PATIENCE = Patience.LIMIT;

  private final String name;
  private final ThreadFactory threads;
  private final @Nullable Semaphore places;
  private final Duration patience;
  private final AtomicLong number = new AtomicLong();

  // All guarded by this object's monitor.
  private final Set<Act<?>> running = new LinkedHashSet<>();
  private final List<ExecutorService> pools = new ArrayList<>();
  private final List<Act<?>> failed = new ArrayList<>();
  private boolean closing;

  private Actors(
      String name, ThreadFactory threads, @Nullable Semaphore places, Duration patience) {
    this.name = name;
    this.threads = threads;
    this.places = places;
    this.patience = patience;
  }

  /** Actors that each have a virtual thread, which an interrupt also wakes from a socket. */
  public static Actors named(String name) {
    return patient(PATIENCE, name);
  }

  /**
   * The same, of which only some act at once; the others wait in the order in which they came.
   *
   * @param most at least 1
   */
  public static Actors atMost(int most, String name) {
    return new Actors(name, Thread.ofVirtual().factory(), new Semaphore(most, true), PATIENCE);
  }

  /**
   * Actors that each have a daemon thread of the platform: where a test is about such threads, or
   * an actor computes for long.
   */
  public static Actors onPlatformThreads(String name) {
    return new Actors(name, Thread.ofPlatform().daemon().factory(), null, PATIENCE);
  }

  /** The same as {@link #named} with another patience than a minute, for tests of this class. */
  static Actors patient(Duration patience, String name) {
    return new Actors(name, Thread.ofVirtual().factory(), null, patience);
  }

  /** The work of an actor. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  /** Lets an actor do this. Once the close has begun, it is not done. */
  public Act<Boolean> start(Task task) {
    return after(Duration.ZERO, task);
  }

  /** The same, for what takes an {@link Executor}. */
  @Override
  public void execute(Runnable task) {
    start(task::run);
  }

  /** Lets an actor do this after a real time, during which it takes no place of another. */
  public Act<Boolean> after(Duration delay, Task task) {
    return begin(
        delay,
        () -> {
          task.run();
          return true;
        });
  }

  /**
   * Lets an actor find this out. A failure that is thrown by {@link Act#get} is the asker's; any
   * other is thrown by {@link #close}.
   */
  public <T> Act<T> ask(Callable<T> question) {
    return begin(Duration.ZERO, question);
  }

  private <T> Act<T> begin(Duration delay, Callable<T> question) {
    Act<T> act = new Act<>(name + '-' + number.incrementAndGet(), patience);
    Thread thread = threads.newThread(() -> play(act, delay, question));
    thread.setName(act.name());
    act.thread(thread);
    synchronized (this) {
      if (closing) {
        act.refused();
        return act;
      }
      running.add(act);
    }
    thread.start();
    return act;
  }

  private <T> void play(Act<T> act, Duration delay, Callable<T> question) {
    boolean placed = false;
    try {
      if (delay.isPositive()) {
        Thread.sleep(delay);
      } else if (Thread.interrupted()) { // A sleep of no time would show as a wait with a limit.
        throw new InterruptedException();
      }
      if (places != null) {
        places.acquire();
        placed = true;
      }
      act.succeeded(question.call());
    } catch (Throwable failure) { // Errors too: a failed assertion is one.
      ended(act, failure);
    } finally {
      if (places != null && placed) {
        places.release();
      }
      synchronized (this) {
        running.remove(act);
      }
      act.end();
    }
  }

  private synchronized void ended(Act<?> act, Throwable failure) {
    act.failed(failure);
    if (!closing && !act.canceled()) {
      failed.add(act);
    }
  }

  /** A pool of daemon threads for code that takes nothing else; it ends with the actors. */
  public ExecutorService pool(int size) {
    return owned(Executors.newFixedThreadPool(size, poolThreads()));
  }

  /** A pool of daemon threads with timers, as {@link #pool}. */
  public ScheduledExecutorService timers(int size) {
    return owned(Executors.newScheduledThreadPool(size, poolThreads()));
  }

  private ThreadFactory poolThreads() {
    return Thread.ofPlatform().daemon().name(name + "-pool-", 1).factory();
  }

  private synchronized <E extends ExecutorService> E owned(E pool) {
    if (closing) {
      throw new IllegalStateException("the actors '" + name + "' are being closed");
    }
    pools.add(pool);
    return pool;
  }

  /** How many have begun and not ended, those that wait for their place included. */
  public synchronized int running() {
    return running.size();
  }

  /**
   * Throws what has failed so far, as {@link #close} would: for loops that wait for what actors do.
   *
   * @throws AssertionError naming the actor, with the failure as its cause
   */
  public void throwIfFailed() {
    List<Act<?>> all;
    synchronized (this) {
      all = failed.stream().filter(act -> !act.seen()).toList();
      failed.clear();
    }
    if (all.isEmpty()) {
      return;
    }
    AssertionError error = all.getFirst().error();
    all.stream().skip(1).forEach(act -> error.addSuppressed(act.error()));
    throw error;
  }

  /**
   * Refuses new work, interrupts what runs and waits until it has ended; the thread that closes, if
   * it is one of theirs, is not waited for.
   *
   * @throws AssertionError if something failed before, or doesn't end within a minute, with what it
   *     is doing
   */
  @Override
  public void close() {
    List<Act<?>> acts;
    List<ExecutorService> owned;
    synchronized (this) {
      closing = true;
      acts = running.stream().filter(act -> !act.isOwn()).toList();
      owned = List.copyOf(pools);
    }
    owned.forEach(ExecutorService::shutdownNow);
    acts.forEach(Act::interrupt);
    long deadline = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    for (Act<?> act : acts) {
      interrupted |= act.awaitUntil(deadline);
    }
    for (ExecutorService pool : owned) {
      interrupted |= awaitUntil(pool, deadline);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throwIfFailed();
  }

  /** Whether this thread was interrupted meanwhile. */
  private boolean awaitUntil(ExecutorService pool, long deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        if (pool.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return interrupted;
        }
        throw new AssertionError("a pool of the actors '" + name + "' does not end: " + pool);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
