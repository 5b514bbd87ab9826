// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ErrorBackoff;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.RateLimitingQueue;
import java.time.Duration;

/** Makes package-private parts accessible to the tests in {@code hazards}. */
public final class Queues {

  private Queues() {}

  /** The runtime's work queue. */
  public static WorkQueue<ObjectKey> of(TimeSource time) {
    return new KeyQueue<>(time, new ErrorBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1)));
  }

  /** The runtime's work queue as the extended controller sees it. */
  public static RateLimitingQueue<Request> requests(TimeSource time) {
    return new RequestQueue(
        new KeyQueue<>(time, new ErrorBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1))));
  }
}
