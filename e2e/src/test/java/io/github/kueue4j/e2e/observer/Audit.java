// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a recorded run against the promises of {@code docs/lifecycle.md}, with bookkeeping of its
 * own: it records the checks' answers and their times, and never asks the core's code what follows.
 *
 * @param authors who wrote what
 * @param sdkChecks names of the checks whose entries an SDK controller writes
 * @param outages when the core was down
 * @param quota CPUs that may be reserved together at most
 * @param alwaysRequired checks that the queue asked for all the time
 * @param calm whether no administrator has made changes: only then the core's patches are counted
 */
public record Audit(
    Authors authors,
    Set<String> sdkChecks,
    List<Outage> outages,
    long quota,
    Set<String> alwaysRequired,
    boolean calm) {
  public Audit {
    sdkChecks = Set.copyOf(sdkChecks);
    alwaysRequired = Set.copyOf(alwaysRequired);
    outages = List.copyOf(outages);
  }

  /**
   * Audits all recorded versions.
   *
   * @param frames all versions, in the order of writing
   */
  public Report of(List<Frame> frames) {
    authors.awaitReports();
    List<Report.Violation> violations = new ArrayList<>();
    Map<String, Life> lives = new LinkedHashMap<>();
    Map<String, Long> reserved = new HashMap<>();
    long sum = 0;
    for (Frame frame : frames) {
      Life life = lives.computeIfAbsent(frame.uid(), uid -> new Life(this, violations));
      life.next(frame);
      long before = reserved.getOrDefault(frame.uid(), 0L);
      long now = frame.holdsQuota() ? frame.cpus() : 0;
      reserved.put(frame.uid(), now);
      sum += now - before;
      if (now > before && sum > quota) {
        violations.add(
            new Report.Violation(
                9, sum + " CPUs are reserved although the quota is " + quota, life.trace()));
      }
    }
    return new Report(violations, Life.tally(lives.values(), frames.size()));
  }
}
