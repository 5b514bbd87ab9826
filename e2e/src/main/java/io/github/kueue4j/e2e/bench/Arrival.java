// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One Workload to come.
 *
 * @param after the start of the load, if the creator never waits for an answer
 * @param queue the LocalQueue, which has the name of its ClusterQueue
 * @param name the Workload's
 * @param kind what it is like
 */
record Arrival(Duration after, String queue, String name, Load.WorkloadKind kind) {

  /** All Workloads of a load in the order in which they come. */
  static List<Arrival> of(Load load) {
    List<Arrival> arrivals = new ArrayList<>();
    for (BenchQueue queue : BenchQueue.of(load)) {
      for (Load.WorkloadKind kind : queue.kind().workloads()) {
        for (int i = 0; i < kind.count(); i++) {
          arrivals.add(
              new Arrival(
                  kind.every().multipliedBy(i + 1L),
                  queue.name(),
                  queue.name() + "-" + kind.name() + "-" + i,
                  kind));
        }
      }
    }
    arrivals.sort(Comparator.comparing(Arrival::after).thenComparing(Arrival::name));
    return arrivals;
  }

  /** The same, by queue and class: who creates one after the other. */
  static Collection<List<Arrival>> rows(List<Arrival> arrivals) {
    Map<String, List<Arrival>> rows = new LinkedHashMap<>();
    for (Arrival arrival : arrivals) {
      String row = arrival.queue() + "/" + arrival.kind().name();
      rows.computeIfAbsent(row, name -> new ArrayList<>()).add(arrival);
    }
    return rows.values();
  }
}
