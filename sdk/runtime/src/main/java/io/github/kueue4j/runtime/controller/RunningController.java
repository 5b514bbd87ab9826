// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.extended.controller.DefaultController;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller of a host: the client library's extended controller with this runtime's queue,
 * guarded reconciler and threads.
 *
 * <p>The extended controller can't be restarted (its thread pool refuses, and it ignores that), so
 * this class permits a single start and throws otherwise.
 */
final class RunningController {

  private static final Logger log = LoggerFactory.getLogger(RunningController.class);

  /** The time that the extended controller gets to notice that its workers have ended. */
  private static final Duration FOR_RUNNER = Duration.ofMillis(100);

  private final String name;
  private final FatalErrors fatalErrors;
  private final Threads threads;
  private final KeyQueue<ObjectKey> queue;
  private final DefaultController controller;
  private final ScheduledThreadPoolExecutor workers;
  private final Runnable depthGone;
  // Guarded by this object's monitor.
  private final List<Informer.Registration> registrations = new ArrayList<>();
  private @Nullable Thread runner;
  private boolean stopped;

  RunningController(
      Controller.Builder spec,
      TimeSource time,
      MeterRegistry meters,
      FatalErrors fatalErrors,
      Threads threads) {
    this.name = spec.name;
    this.threads = threads;
    this.fatalErrors = fatalErrors;
    this.queue = new KeyQueue<>(time, spec.backoff, spec.sharing());
    var guarded = new GuardedReconciler(name, spec.reconciler, queue, meters, fatalErrors);
    this.controller = extended(name, guarded, new RequestQueue(queue));
    ThreadFactory numbered = threads.daemons().name("kueue4j-" + name + "-", 1).factory();
    this.workers = new Workers(spec.workers, numbered, fatalErrors);
    controller.setWorkerCount(spec.workers);
    controller.setWorkerThreadPool(workers);
    this.depthGone =
        SharedGauge.add(
            meters, "workqueue.depth", Map.entry("name", name), Double::sum, queue::length);
  }

  /** The threads of a controller: an Error outside of a reconcile is reported, too. */
  private static final class Workers extends ScheduledThreadPoolExecutor {
    private final FatalErrors fatalErrors;

    Workers(int count, ThreadFactory threads, FatalErrors fatalErrors) {
      super(count, threads);
      this.fatalErrors = fatalErrors;
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
      super.afterExecute(task, thrown);
      // A scheduled task keeps to itself what it threw.
      if (task instanceof Future<?> ended
          && ended.state() == Future.State.FAILED
          && ended.exceptionNow() instanceof Error error) {
        fatalErrors.report(error);
      }
    }
  }

  // No readiness functions: the host starts controllers only when the caches are synced.
  @SuppressWarnings("unchecked") // An empty array of a generic type is safe.
  private static DefaultController extended(
      String name, GuardedReconciler reconciler, RequestQueue queue) {
    return new DefaultController(name, reconciler, queue);
  }

  synchronized void own(Informer.Registration registration) {
    registrations.add(registration);
  }

  void add(ObjectKey key, boolean lowPriority) {
    if (lowPriority) {
      queue.addLowPriority(key);
    } else {
      queue.add(key);
    }
  }

  WorkQueue<ObjectKey> queue() {
    return queue;
  }

  boolean rests() {
    return queue.isIdle();
  }

  synchronized void start() {
    if (stopped || runner != null) {
      throw new IllegalStateException(
          "controller " + name + " runs or ran already: build a new host");
    }
    runner =
        threads
            .daemons()
            .name("kueue4j-" + name + "-runner")
            .uncaughtExceptionHandler(fatalErrors)
            .start(this::run);
  }

  private void run() {
    try {
      controller.run();
    } catch (RejectedExecutionException e) {
      // The workers were shut down before the extended controller had started them.
      if (!isStopped()) {
        throw e;
      }
    }
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /** Stops taking keys; false if it has been called already. */
  boolean refuse() {
    synchronized (this) {
      if (stopped) {
        return false;
      }
      stopped = true;
      registrations.forEach(Informer.Registration::close);
    }
    depthGone.run();
    queue.shutDown();
    controller.shutdown();
    return true;
  }

  /** Waits for running reconciles. */
  void awaitEnd(long nanos) throws InterruptedException {
    // The result is checked in hasEnded(), after all controllers had their time.
    boolean ended = workers.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    log.atDebug().addKeyValue("controller", name).addKeyValue("ended", ended).log("Stopping");
  }

  boolean hasEnded() {
    return workers.isTerminated();
  }

  void interrupt() {
    log.atWarn()
        .addKeyValue("controller", name)
        .log("Reconciles are still running after the grace period; interrupting them");
    workers.shutdownNow();
  }

  void abandon() {
    log.atError()
        .addKeyValue("controller", name)
        .log("A reconcile ignores its interrupt; its thread keeps running");
  }

  /**
   * Ends the runner. The extended controller waits for the end of every worker, including those
   * that never started.
   */
  void endRunner() {
    @Nullable Thread thread;
    synchronized (this) {
      thread = runner;
    }
    if (thread == null) {
      return;
    }
    try {
      if (!thread.join(FOR_RUNNER)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
