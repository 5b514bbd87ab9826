// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import java.time.Duration;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The result of a load.
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
