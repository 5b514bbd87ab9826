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
package io.github.kueue4j.e2e.observer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds a recorded run against the promises of {@code docs/lifecycle.md}, with a bookkeeping of its
 * own: it knows what the checks said and when, and never asks the core's code what follows.
 *
 * @param authors who wrote what
 * @param sdkChecks names of the checks whose entries an SDK controller writes
 * @param outages when the core was down
 * @param quota CPUs that may be reserved together at most
 * @param alwaysRequired checks that the queue asked for all the time
 * @param calm whether no administrator had a hand in it: only then the core's patches are counted
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
   * Looks at everything.
   *
   * @param frames all versions, in the order of writing
   */
  public Report of(List<Frame> frames) {
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
