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
package io.github.kueue4j.e2e.bench;

import java.time.Duration;
import java.util.List;

/**
 * How long the Workloads of a class waited.
 *
 * @param sorted shortest first
 */
record Waits(List<Duration> sorted) {
  Waits {
    sorted = sorted.stream().sorted().toList();
  }

  boolean isEmpty() {
    return sorted.isEmpty();
  }

  Duration mean() {
    return sorted.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(sorted.size());
  }

  /** The shortest wait that this share of all didn't exceed. */
  Duration quantile(double share) {
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }
}
