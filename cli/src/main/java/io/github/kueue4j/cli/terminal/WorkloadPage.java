// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/** The facts of one Workload on a screen, to which an explanation belongs. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class WorkloadPage {
  private WorkloadPage() {}

  /** The lines: owner, queues, phase, pods, checks and conditions. */
  public static List<String> of(Workload workload, ExplainInput around, Instant now) {
    ClusterQueue queue = around.clusterQueue();
    ListedPhase phase = ListedPhase.of(workload, queue);
    List<String> lines = new ArrayList<>();
    lines.add("workload/" + workload.key().name() + " in " + workload.key().namespace());
    new Table(List.of("", ""))
        .more(
            List.of(
                Cells.of("Owner", WorkloadRows.owner(workload)).list(),
                Cells.of("Queue", workload.spec().queueName()).list(),
                Cells.of("ClusterQueue", around.clusterQueueName().orElse("")).list(),
                Cells.of("Priority", Objects.requireNonNullElse(workload.spec().priority(), 0))
                    .list(),
                Cells.of(
                        "Phase",
                        phase.word()
                            + phase
                                .since(workload)
                                .map(since -> " for " + Cells.age(since, now))
                                .orElse(""))
                    .list(),
                Cells.of("Delayed until", workload.status().requeueAt()).list(),
                Cells.of(
                        "Pods",
                        String.join(
                            ", ",
                            workload.spec().podSets().stream()
                                .map(podSet -> podSet.count() + " in " + podSet.name())
                                .toList()))
                    .list()))
        .forEach(line -> lines.add("  " + line));
    List<List<String>> checks = new ArrayList<>();
    workload.status().admissionChecks().forEach(check -> checks.add(check(check, now)));
    Explain.notAskedYet(around, now)
        .forEach((check, before) -> checks.add(notAskedYet(check, before)));
    if (!checks.isEmpty()) {
      lines.add("");
      lines.addAll(new Table(List.of("CHECK", "STATE", "SINCE", "MESSAGE")).lines(checks));
    }
    lines.addAll(QueuePage.conditionTable(workload.status().conditions()));
    return lines;
  }

  /**
   * A check without an entry.
   *
   * @param before the checks that have to be Ready; empty if they aren't known
   */
  private static List<String> notAskedYet(String check, Set<String> before) {
    return Cells.of(check, "not asked yet", "")
        .text("after " + (before.isEmpty() ? "others" : String.join(", ", before)))
        .list();
  }

  private static List<String> check(AdmissionCheckState check, Instant now) {
    return Cells.of(check.name(), check.state().value(), Cells.age(check.lastTransitionTime(), now))
        .text(check.message())
        .list();
  }
}
