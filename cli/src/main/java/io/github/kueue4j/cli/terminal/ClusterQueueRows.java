// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The rows of ClusterQueues.
 *
 * @param wide with the quota per flavor and resource
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record ClusterQueueRows(boolean wide) implements Rows<ClusterQueue> {
  @Override
  public List<String> header() {
    return Cells.of("NAME", "COHORT", "STRATEGY", "PENDING", "RESERVING", "ADMITTED", "STATE")
        .andIf(wide, "QUOTA")
        .and("WHY")
        .list();
  }

  @Override
  public List<String> row(ClusterQueue queue) {
    QueueState state = QueueState.of(queue);
    return Cells.of(
            "cq/" + queue.key().name(),
            queue.spec().cohortName(),
            queue.spec().queueingStrategy().value(),
            queue.status().pendingWorkloads(),
            queue.status().reservingWorkloads(),
            queue.status().admittedWorkloads(),
            state.word())
        .andIf(wide, QuotaText.cell(queue))
        .text(state.why())
        .list();
  }
}
