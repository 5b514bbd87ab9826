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
package io.github.kueue4j.e2e.demo;

import java.time.Instant;
import java.util.List;

/** Where the demo shows the Workloads while it runs. */
sealed interface Screen permits LiveTable, ChangeLog {

  /**
   * Shows the newest state.
   *
   * @param now the cluster's time
   * @param lines every Workload, sorted
   */
  void show(Instant now, List<WorkloadLine> lines);

  /** Says one sentence about the run itself, such as a restart. */
  void note(Instant now, String sentence);
}
