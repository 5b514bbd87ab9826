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
import java.util.Map;
import org.apiguardian.api.API;

/**
 * What became of a load.
 *
 * @param workloads how many were to come
 * @param created how many came
 * @param finished how many ran to their end
 * @param preempted how often one was stopped before its end
 * @param makespan from the first creation to the last end, or to the timeout
 * @param waits by class: from creation to the first admission
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Outcome(
    int workloads,
    int created,
    int finished,
    int preempted,
    Duration makespan,
    Map<String, Waits> waits) {
  public Outcome {
    waits = Map.copyOf(waits);
  }

  /** Whether all of it is done. */
  public boolean complete() {
    return finished == workloads;
  }
}
