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
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code spec.maximumExecutionTimeSeconds}: time in Admitted, over all admissions. */
final class ExecutionTime {
  private ExecutionTime() {}

  static @Nullable Decision exceeded(View view) {
    Integer maximum = view.workload().spec().maximumExecutionTimeSeconds();
    Instant due = due(view);
    return maximum == null || due == null || view.now().isBefore(due)
        ? null
        : Deactivation.exceedLimit(view, ExceededLimit.executionTime(Duration.ofSeconds(maximum)));
  }

  /** When the time is used up; null if it doesn't run, or isn't limited. */
  static @Nullable Instant due(View view) {
    Integer maximum = view.workload().spec().maximumExecutionTimeSeconds();
    Instant since = view.reading().admittedSince();
    if (maximum == null || since == null || view.phase() != Phase.ADMITTED) {
      return null;
    }
    Integer past = view.workload().status().accumulatedPastExecutionTimeSeconds();
    return since.plusSeconds((long) maximum - (past == null ? 0 : Math.max(0, past)));
  }
}
