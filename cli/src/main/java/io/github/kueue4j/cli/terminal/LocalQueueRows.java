// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.LocalQueue;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The rows of LocalQueues.
 *
 * @param namespaces whether they are of several namespaces, which the first column names
 * @param wide with the use per flavor and resource
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record LocalQueueRows(boolean namespaces, boolean wide) implements Rows<LocalQueue> {
  @Override
  public List<String> header() {
    return Cells.of()
        .andIf(namespaces, "NAMESPACE")
        .and("NAME", "CLUSTERQUEUE", "PENDING", "RESERVING", "ADMITTED", "STATE")
        .andIf(wide, "USED")
        .and("WHY")
        .list();
  }

  @Override
  public List<String> row(LocalQueue queue) {
    QueueState state = QueueState.of(queue);
    return Cells.of()
        .andIf(namespaces, queue.key().namespace())
        .and(
            "lq/" + queue.key().name(),
            queue.spec().clusterQueue(),
            queue.status().pendingWorkloads(),
            queue.status().reservingWorkloads(),
            queue.status().admittedWorkloads(),
            state.word())
        .andIf(wide, QuotaText.cell(queue))
        .text(state.why())
        .list();
  }
}
