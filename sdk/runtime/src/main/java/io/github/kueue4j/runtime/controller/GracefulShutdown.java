// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import java.time.Duration;
import java.util.List;

/**
 * Stops several controllers together. First all of them stop taking keys, then they share one grace
 * period. After a lost lease, stopping them one after the other would let the last ones run on
 * while another replica leads.
 */
final class GracefulShutdown {

  /** The time that interrupted reconciles get to end. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

  private GracefulShutdown() {}

  /**
   * Waits up to {@code grace} for running reconciles, then interrupts them and waits a little
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
