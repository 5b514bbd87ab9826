// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** Runs a controller without a host. */
public final class TestControllers implements AutoCloseable {

  private final Controller controller;
  private final MeterRegistry meters = new SimpleMeterRegistry();

  private TestControllers(Controller controller, TimeSource time, FatalErrors fatalErrors) {
    this.controller = controller;
    controller.prepare(time, meters, fatalErrors, Threads.platform());
  }

  /** Starts the controller's workers. */
  public static TestControllers start(Controller controller, TimeSource time) {
    return start(controller, time, FatalErrors.endProcess());
  }

  /** Starts the controller's workers; their Errors are reported there. */
  public static TestControllers start(
      Controller controller, TimeSource time, FatalErrors fatalErrors) {
    var running = new TestControllers(controller, time, fatalErrors);
    controller.start();
    return running;
  }

  /** The number of reconciles with this result. */
  public double reconciles(String result) {
    return meters
        .counter("controller.runtime.reconcile", "controller", controller.name(), "result", result)
        .count();
  }

  @Override
  public void close() {
    controller.stop(Duration.ofSeconds(5));
  }
}
