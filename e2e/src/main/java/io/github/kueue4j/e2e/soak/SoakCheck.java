// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A check that delays one in four Workloads once, and admits. */
final class SoakCheck implements AutoCloseable {
  static final String CONTROLLER = "kueue4j.io/soak";

  private static final int DELAYED = 4;
  private static final Backoff BACKOFF = Backoff.fixed(Duration.ofSeconds(1));

  private final AtomicInteger retries = new AtomicInteger();
  private final CheckController controller;

  private SoakCheck(ClusterConnection connection, TimeSource time) {
    this.controller =
        CheckController.builder(CONTROLLER, CheckEnvironment.of(connection, time))
            .check(this::evaluate)
            .build();
  }

  static SoakCheck start(ClusterConnection connection, TimeSource time)
      throws InterruptedException {
    SoakCheck check = new SoakCheck(connection, time);
    check.controller.start();
    return check;
  }

  private Verdict evaluate(Evaluation<?> evaluation) {
    if (evaluation.attempt() == 0
        && Math.floorMod(evaluation.key().name().hashCode(), DELAYED) == 0) {
      retries.incrementAndGet();
      return Verdict.retry(Reason.of("Soak"), "Later.", BACKOFF);
    }
    return Verdict.ready("Now.");
  }

  /** How many were delayed. */
  int retries() {
    return retries.get();
  }

  @Override
  public void close() {
    controller.close();
  }
}
