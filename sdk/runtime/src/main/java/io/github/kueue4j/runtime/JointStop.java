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

import java.time.Duration;
import java.util.List;

/**
 * Ends controllers together. From the first moment none of them begins anything, then all share one
 * grace period: a lost lease leaves only so much time, and ending them one after the other would
 * let the last ones work on while another replica leads.
 */
final class JointStop {

  /** What interrupted reconciles get to end. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

  private JointStop() {}

  /**
   * Waits up to {@code grace} for reconciles under way, then interrupts them and waits a little
   * longer.
   */
  static void stop(List<RunningController> controllers, Duration grace) {
    List<RunningController> running =
        controllers.stream().filter(RunningController::refuse).toList();
    try {
      List<RunningController> late = unfinished(running, grace);
      late.forEach(RunningController::interrupt);
      unfinished(late, AFTER_INTERRUPT).forEach(RunningController::abandon);
    } catch (InterruptedException e) {
      running.forEach(RunningController::interrupt);
      Thread.currentThread().interrupt();
    }
    running.forEach(RunningController::endRunner);
  }

  private static List<RunningController> unfinished(
      List<RunningController> controllers, Duration within) throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    for (RunningController controller : controllers) {
      controller.awaitEnd(Math.max(end - System.nanoTime(), 0));
    }
    return controllers.stream().filter(controller -> !controller.hasEnded()).toList();
  }
}
