// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.testdefaults.Actors;
import io.kubernetes.client.extended.controller.DefaultController;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import java.util.concurrent.ScheduledExecutorService;

/** The library's controller with one worker, running as the library's manager lets it run. */
public final class RawController implements AutoCloseable {

  private final Actors threads = Actors.onPlatformThreads("raw-controller");
  private final ScheduledExecutorService workers = threads.timers(1);
  private final DefaultRateLimitingQueue<Request> queue =
      new DefaultRateLimitingQueue<>(threads.pool(1));
  private final DefaultController controller;

  @SuppressWarnings("unchecked") // An empty array of a generic type is safe.
  private RawController(Reconciler reconciler) {
    controller = new DefaultController("raw", reconciler, queue);
    controller.setWorkerCount(1);
    controller.setWorkerThreadPool(workers);
  }

  /** Starts one. */
  public static RawController start(Reconciler reconciler) {
    var started = new RawController(reconciler);
    started.threads.execute(started.controller);
    return started;
  }

  public DefaultController controller() {
    return controller;
  }

  public DefaultRateLimitingQueue<Request> queue() {
    return queue;
  }

  /** The pool in which it reconciles. */
  public ScheduledExecutorService workers() {
    return workers;
  }

  @Override
  public void close() {
    controller.shutdown();
    threads.close();
  }
}
