// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The steps that a restoration has done, or would do.
 *
 * @param workloads every Workload of the backup, in the order in which they were restored
 * @param unadmitted the Jobs that name a queue and run without an admission, such as {@code Job
 *     team/train}: the core will stop and queue them, and delete those that are pods
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RestoreReport(List<RestoredWorkload> workloads, List<String> unadmitted) {
  public RestoreReport {
    workloads = List.copyOf(workloads);
    unadmitted = List.copyOf(unadmitted);
  }

  /** The Workloads with this outcome. */
  public List<RestoredWorkload> with(RestoredWorkload.RestoreOutcome outcome) {
    return workloads.stream().filter(each -> each.outcome() == outcome).toList();
  }

  /**
   * Whether everything that the backup holds and that still exists is restored, and all that runs
   * is admitted.
   */
  public boolean complete() {
    return with(RestoredWorkload.RestoreOutcome.NOT_RESTORED).isEmpty() && unadmitted.isEmpty();
  }
}
