// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until all threads that a step has freed from a monitor have been handed to the scheduler. A
 * thread of the JVM does that, one after the other, and says when it is done by no other means than
 * that it frees what came later.
 *
 * <p>Two threads of its own do nothing but wait for each other. The driver can't take the place of
 * one: a virtual thread would take the monitors that its carrier holds for its own.
 */
final class MonitorBarrier {
  private final Object monitor = new Object();
  private volatile Thread driver = Thread.currentThread();
  private final Probe holding = new Probe("holding", this::hold);
  private final Probe waiting = new Probe("waiting", this::enter);

  /** A thread that runs when the barrier says so. */
  private final class Probe {
    private final AtomicBoolean runnable = new AtomicBoolean();
    private final Thread thread;
    private Runnable continuation = () -> {};

    Probe(String name, Runnable turn) {
      thread =
          VirtualThreads.builder(this::submitted)
              .name("simulation-" + name)
              .unstarted(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      LockSupport.park(this);
                      turn.run();
                    }
                  });
    }

    private void submitted(Runnable step) {
      continuation = step;
      runnable.set(true);
      LockSupport.unpark(driver);
    }

    void start() {
      thread.start();
      go();
    }

    /** Lets it leave its park and go on to the next, or to the monitor. */
    void wake() {
      LockSupport.unpark(thread);
      go();
    }

    /** Lets it go on as soon as it can. */
    void go() {
      while (!runnable.compareAndSet(true, false)) {
        LockSupport.park(this);
      }
      continuation.run();
    }
  }

  /** A barrier. */
  MonitorBarrier() {
    holding.start();
    waiting.start();
  }

  private void hold() {
    synchronized (monitor) {
      LockSupport.park(this);
    }
  }

  private void enter() {
    synchronized (monitor) {
      // That it came here is all.
      return;
    }
  }

  /** Waits, as the thread that chooses the steps. */
  void pass() {
    driver = Thread.currentThread();
    // The JVM's thread takes all that have been freed at once, the last one first: those that were
    // freed before the first round are done when it takes up the second.
    for (int round = 0; round < 2; round++) {
      holding.wake();
      waiting.wake();
      holding.wake();
      waiting.go();
    }
  }

  /** Ends its threads. */
  void end() {
    driver = Thread.currentThread();
    holding.thread.interrupt();
    holding.go();
    waiting.thread.interrupt();
    waiting.go();
  }
}
