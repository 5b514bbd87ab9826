// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The rows of Workloads that wait for a person.
 *
 * @param namespaces whether they are of several namespaces, which the first column names
 * @param now the current time, for ages
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record ApprovalRows(boolean namespaces, Instant now) implements Rows<ApprovalRows.Awaited> {
  /**
   * A Workload and the check that waits for a person.
   *
   * @param approvers who is to be asked; empty if that isn't known
   * @param why what became of an earlier approval; empty if there was none
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Awaited(Workload workload, String check, String approvers, String why) {
    /** When the Workload was created. */
    public Instant since() {
      return ListedPhase.created(workload).orElse(Instant.EPOCH);
    }
  }

  @Override
  public List<String> header() {
    return Cells.of()
        .andIf(namespaces, "NAMESPACE")
        .and("NAME", "OWNER", "PODS", "CHECK", "APPROVERS", "AGE", "WHY")
        .list();
  }

  @Override
  public List<String> row(Awaited awaited) {
    return Cells.of()
        .andIf(namespaces, awaited.workload().key().namespace())
        .and(
            awaited.workload().key().name(),
            WorkloadRows.owner(awaited.workload()),
            awaited.workload().spec().podSets().stream().mapToLong(PodSet::count).sum(),
            awaited.check(),
            awaited.approvers(),
            Cells.age(awaited.since(), now))
        .text(awaited.why())
        .list();
  }
}
