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

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** The run of one host; its inner workings follow in the next commit. */
final class HostRun {

  private final ControllerHost.Builder spec;

  HostRun(ControllerHost.Builder spec) {
    this.spec = spec;
  }

  void start() throws InterruptedException {
    if (spec.grace != null) {
      throw new UnsupportedOperationException("host");
    }
  }

  boolean leading() {
    return false;
  }

  void awaitTermination() throws InterruptedException {}

  int httpPort() {
    return -1;
  }

  MeterRegistry meters() {
    return spec.meters;
  }

  List<String> livenessProblems() {
    return List.of();
  }

  List<String> readinessProblems() {
    return List.of();
  }

  void close() {}
}
