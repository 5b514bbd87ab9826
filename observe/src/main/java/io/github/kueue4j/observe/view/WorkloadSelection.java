// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The Workloads that are asked for.
 *
 * @param namespace empty for all
 * @param clusterQueue empty for all
 * @param localQueue empty for all
 * @param check the name of a check that they have an entry of; empty for any
 * @param phases empty for all
 * @param search part of a namespace, a name or a queue, in any case; empty for all
 * @param offset how many to leave out at the start
 * @param limit how many to return at most
 */
record WorkloadSelection(
    String namespace,
    String clusterQueue,
    String localQueue,
    String check,
    Set<Phase> phases,
    String search,
    int offset,
    int limit) {
  static final Set<String> PARAMETERS =
      Set.of(
          "namespace", "clusterQueue", "localQueue", "check", "phase", "search", "offset", "limit");
  private static final int DEFAULT_LIMIT = 100;
  private static final int MOST = 500;

  /**
   * A page of Workloads.
   *
   * @param total how many there are with this selection
   * @param phases how many there are by phase, whatever phases are selected
   * @param items those from {@code offset}
   */
  record Found(
      Instant time, int total, Map<Phase, Integer> phases, int offset, List<ShownWorkload> items) {}

  /**
   * Reads the parameters.
   *
   * @throws ViewProblem if one is invalid
   */
  static WorkloadSelection of(ViewQuery query) {
    Set<Phase> phases = EnumSet.noneOf(Phase.class);
    for (String phase : query.text("phase").split(",", -1)) {
      if (!phase.isEmpty()) {
        phases.add(phase(phase));
      }
    }
    return new WorkloadSelection(
        query.text("namespace"),
        query.text("clusterQueue"),
        query.text("localQueue"),
        query.text("check"),
        phases,
        query.text("search").toLowerCase(Locale.ROOT),
        query.number("offset", 0, 0, Integer.MAX_VALUE),
        query.number("limit", DEFAULT_LIMIT, 1, MOST));
  }

  private static Phase phase(String text) {
    return Arrays.stream(Phase.values())
        .filter(phase -> phase.name().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                ViewProblem.invalid(
                    "phase", text, "phases are " + Arrays.toString(Phase.values())));
  }

  /** The Workloads of a snapshot, in its order. */
  Found in(ViewSnapshot snapshot) {
    Map<Phase, Integer> counts = new EnumMap<>(Phase.class);
    List<ListedWorkload> selected = new ArrayList<>();
    for (ListedWorkload each : snapshot.listed()) {
      if (matches(each)) {
        counts.merge(each.phase(), 1, Integer::sum);
        if (phases.isEmpty() || phases.contains(each.phase())) {
          selected.add(each);
        }
      }
    }
    return new Found(
        snapshot.time(),
        selected.size(),
        counts,
        offset,
        selected.stream()
            .skip(offset)
            .limit(limit)
            .map(each -> ShownWorkload.of(snapshot, each.workload()))
            .toList());
  }

  private boolean matches(ListedWorkload entry) {
    Workload workload = entry.workload();
    return (namespace.isEmpty() || namespace.equals(entry.key().namespace()))
        && (clusterQueue.isEmpty() || clusterQueue.equals(entry.clusterQueue()))
        && (localQueue.isEmpty() || localQueue.equals(workload.spec().queueName()))
        && (check.isEmpty()
            || workload.status().admissionChecks().stream()
                .anyMatch(state -> state.name().equals(check)))
        && (search.isEmpty() || contains(entry));
  }

  private boolean contains(ListedWorkload entry) {
    String text =
        entry.key()
            + " "
            + entry.clusterQueue()
            + " "
            + Objects.requireNonNullElse(entry.workload().spec().queueName(), "");
    return text.toLowerCase(Locale.ROOT).contains(search);
  }
}
