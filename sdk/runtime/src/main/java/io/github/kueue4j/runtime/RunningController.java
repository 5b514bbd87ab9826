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
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** A controller that belongs to a host; its inner workings follow in the next commit. */
final class RunningController {

  private final KeyQueue<ObjectKey> queue;

  RunningController(Controller.Builder spec, TimeSource time, MeterRegistry meters) {
    queue = new KeyQueue<>(time, spec.backoff);
  }

  void own(Informer.Registration registration) {}

  void add(ObjectKey key) {
    queue.add(key);
  }

  WorkQueue<ObjectKey> queue() {
    return queue;
  }

  void start() {}

  void stop(Duration grace) {}
}
