// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.TimeSource;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reaction to an {@link Error} on a thread of this library: the process ends.
 *
 * <p>An {@code OutOfMemoryError}, a {@code StackOverflowError} or a {@code LinkageError} ends a
 * thread at a place that isn't prepared for it. What the thread owned may be half changed, and what
 * it should do is no longer done, while the other threads renew the lease and answer the probes. A
 * new process reads everything from the cluster again.
 *
 * <p>The process ends at once, without shutdown hooks and without giving back its lease: an orderly
 * end would go on writing from a state that can't be trusted, and may wait for the thread that
 * died.
 *
 * <p>One instance belongs to a {@link io.github.kueue4j.runtime.client.ClusterConnection}; all
 * threads that are built on it report there. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FatalErrors implements Thread.UncaughtExceptionHandler {

  /**
   * The exit status of a process that ended after an Error: that of the JVM's own option {@code
   * -XX:+ExitOnOutOfMemoryError}.
   */
  public static final int EXIT_STATUS = 3;

  private static final Logger log = LoggerFactory.getLogger(FatalErrors.class);

  private final Action action;

  /** The action after an Error. */
  @FunctionalInterface
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public interface Action {

    /**
     * Ends the process, or whatever stands for it.
     *
     * @param thread that the Error ended
     */
    void end(Thread thread, Error error);
  }

  private FatalErrors(Action action) {
    this.action = action;
  }

  /** Ends the process with {@link #EXIT_STATUS}, after a log line and a line on standard error. */
  public static FatalErrors endProcess() {
    return new FatalErrors(FatalErrors::halt);
  }

  /** Does this after the log line; for tests, and for programs with a supervisor of their own. */
  public static FatalErrors then(Action action) {
    return new FatalErrors(action);
  }

  private static void halt(Thread thread, Error error) {
    try {
      // Besides the log, whose lines may still wait for a thread of the logging library.
      System.err.println(
          "kueue4j: " + error + " on thread " + thread.getName() + "; exit status " + EXIT_STATUS);
      System.err.flush();
    } finally {
      Runtime.getRuntime().halt(EXIT_STATUS);
    }
  }

  /** Reports an Error of the current thread. Returns only if the action returns. */
  public void report(Error error) {
    report(Thread.currentThread(), error);
  }

  // Logging needs memory, classes and stack as well: its failure must not keep the action from
  // running, and there is nowhere left to report it.
  private void report(Thread thread, Error error) {
    try {
      log.atError()
          .addKeyValue("thread", thread.getName())
          .addKeyValue("error", error)
          .setCause(error)
          .log("An Error ended a thread; ending the process, because its state can't be trusted");
    } catch (Error | RuntimeException unloggable) {
      error.addSuppressed(unloggable);
    }
    action.end(thread, error);
  }

  /** For threads: reports Errors and leaves exceptions to the default handler. */
  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    if (thrown instanceof Error error) {
      report(thread, error);
      return;
    }
    Thread.@Nullable UncaughtExceptionHandler fallback =
        Thread.getDefaultUncaughtExceptionHandler();
    if (fallback != null && fallback != this) {
      fallback.uncaughtException(thread, thrown);
    } else {
      log.atError()
          .addKeyValue("thread", thread.getName())
          .setCause(thrown)
          .log("A thread ended with an exception");
    }
  }

  /** A view of a time source that reports the Errors of its tasks; closing it closes the source. */
  public TimeSource guard(TimeSource source) {
    return source instanceof GuardedTime guarded && guarded.errors() == this
        ? source
        : new GuardedTime(source, this);
  }
}
