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
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.RateLimitingQueue;
import java.time.Duration;

/** Opens package-private parts to the hazards' tests. */
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
