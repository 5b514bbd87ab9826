// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A controller under test that runs on a {@link KueueCluster}, and can be stopped and restarted.
 *
 * @see io.github.kueue4j.testkit.junit.KueueTest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RunningController {
  private final KueueCluster.Starter starter;
  private @Nullable AutoCloseable running;

  RunningController(KueueCluster.Starter starter) {
    this.starter = starter;
  }

  /**
   * Starts it; nothing happens if it runs.
   *
   * @throws IllegalStateException if it doesn't start
   */
  public synchronized void start() {
    if (running != null) {
      return;
    }
    try {
      running = starter.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the controller started", e);
    } catch (Exception e) {
      throw new IllegalStateException("the controller did not start: " + e.getMessage(), e);
    }
  }

  /**
   * Stops it; nothing happens if it doesn't run.
   *
   * @throws IllegalStateException if it doesn't stop
   */
  public synchronized void stop() {
    AutoCloseable stopping = running;
    running = null;
    if (stopping == null) {
      return;
    }
    try {
      stopping.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the controller stopped", e);
    } catch (Exception e) {
      throw new IllegalStateException("the controller did not stop: " + e.getMessage(), e);
    }
  }

  /** Stops it and starts another one, which knows nothing of what the first remembered. */
  public void restart() {
    stop();
    start();
  }
}
