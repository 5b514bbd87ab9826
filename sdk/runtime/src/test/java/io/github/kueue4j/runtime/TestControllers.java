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

import io.github.kueue4j.api.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** Runs a controller without a host. */
public final class TestControllers implements AutoCloseable {

  private final Controller controller;
  private final MeterRegistry meters = new SimpleMeterRegistry();

  private TestControllers(Controller controller, TimeSource time) {
    this.controller = controller;
    controller.prepare(time, meters);
  }

  /** Starts the controller's workers. */
  public static TestControllers start(Controller controller, TimeSource time) {
    var running = new TestControllers(controller, time);
    controller.start();
    return running;
  }

  /** How many reconciles ended so. */
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
