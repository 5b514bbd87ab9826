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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.extended.controller.DefaultController;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller that belongs to a host: our queue and our guarded reconciler under the client
 * library's extended controller, whose threads we own.
 *
 * <p>The extended controller can't be restarted (its pool refuses, and it swallows that): so this
 * one runs at most once as well, and says so.
 */
final class RunningController {

  private static final Logger log = LoggerFactory.getLogger(RunningController.class);

  /** What the extended controller gets to notice that its workers have ended. */
  private static final Duration FOR_RUNNER = Duration.ofMillis(100);

  private final String name;
  private final KeyQueue<ObjectKey> queue;
  private final DefaultController controller;
  private final ScheduledThreadPoolExecutor workers;
  private final Runnable depthGone;
  // Guarded by this object's monitor.
  private final List<Informer.Registration> registrations = new ArrayList<>();
  private @Nullable Thread runner;
  private boolean stopped;

  RunningController(Controller.Builder spec, TimeSource time, MeterRegistry meters) {
    this.name = spec.name;
    this.queue = new KeyQueue<>(time, spec.backoff);
    var guarded = new GuardedReconciler(name, spec.reconciler, queue, meters);
    this.controller = extended(name, guarded, new RequestQueue(queue));
    ThreadFactory threads = Thread.ofPlatform().daemon().name("kueue4j-" + name + "-", 1).factory();
    this.workers = new ScheduledThreadPoolExecutor(spec.workers, threads);
    controller.setWorkerCount(spec.workers);
    controller.setWorkerThreadPool(workers);
    this.depthGone =
        SharedGauge.add(
            meters, "workqueue.depth", Map.entry("name", name), Double::sum, queue::length);
  }

  // No readiness functions: the host starts controllers only when the caches are filled.
  @SuppressWarnings("unchecked") // An empty array of a generic type is safe.
  private static DefaultController extended(
      String name, GuardedReconciler reconciler, RequestQueue queue) {
    return new DefaultController(name, reconciler, queue);
  }

  synchronized void own(Informer.Registration registration) {
    registrations.add(registration);
  }

  void add(ObjectKey key) {
    queue.add(key);
  }

  WorkQueue<ObjectKey> queue() {
    return queue;
  }

  boolean rests() {
    return queue.rests();
  }

  synchronized void start() {
    if (stopped || runner != null) {
      throw new IllegalStateException(
          "controller " + name + " runs or ran already: build a new host");
    }
    runner = Thread.ofPlatform().daemon().name("kueue4j-" + name + "-runner").start(controller);
  }

  /** Begins no reconcile any more; false if that was asked for already. */
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

  /** Waits for reconciles under way. */
  void awaitEnd(long nanos) throws InterruptedException {
    // The result is asked for separately, when all controllers had their time.
    boolean ended = workers.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    log.atDebug().addKeyValue("controller", name).addKeyValue("ended", ended).log("Stopping");
  }

  boolean hasEnded() {
    return workers.isTerminated();
  }

  void interrupt() {
    log.atWarn()
        .addKeyValue("controller", name)
        .log("Reconciles are still under way after the grace period; interrupting them");
    workers.shutdownNow();
  }

  void abandon() {
    log.atError()
        .addKeyValue("controller", name)
        .log("A reconcile ignores its interrupt; its thread stays behind");
  }

  /**
   * The extended controller's run waits for one end of each worker; those that never began don't.
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
