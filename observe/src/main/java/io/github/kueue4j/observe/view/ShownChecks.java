// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.queue.CheckStrategy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The admission checks, as the view shows them.
 *
 * @param time when they were so
 * @param checks by name
 */
record ShownChecks(Instant time, List<CheckRow> checks) {
  private static final int MOST_WORKLOADS = 100;
  private static final int MOST_TRANSITIONS = 50;

  /**
   * One check.
   *
   * @param active whether its controller works
   * @param states how many Workloads have it in each state
   * @param strips of the Workloads whose entry has changed last
   */
  record CheckRow(
      String name,
      String controller,
      boolean active,
      String message,
      Map<String, Integer> states,
      List<Strip> strips) {}

  /**
   * The states of one check of one Workload over time, the oldest first.
   *
   * @param spans the last is the current one
   */
  record Strip(String namespace, String workload, List<Span> spans) {}

  /** The states of one check of a known Workload over time. */
  record NamedStrip(String check, List<Span> spans) {}

  /** A state since an instant; the next one begins where it ends. */
  record Span(String state, Instant since, int attempts, String message) {}

  /** The checks that some flavor of a queue requires. */
  static List<String> namesIn(ClusterQueueSpec queue) {
    return List.copyOf(CheckStrategy.ofAnyFlavor(queue));
  }

  static ShownChecks of(
      ViewSnapshot snapshot,
      Collection<AdmissionCheck> checks,
      Transitions transitions,
      String namespace) {
    Map<String, List<Workload>> byCheck = new TreeMap<>();
    checks.forEach(check -> byCheck.put(ObjectKey.of(check).name(), new ArrayList<>()));
    for (Workload workload : snapshot.state().workloads().values()) {
      if (namespace.isEmpty() || ObjectKey.of(workload).namespace().equals(namespace)) {
        for (AdmissionCheckState entry : workload.status().admissionChecks()) {
          List<Workload> having = byCheck.get(entry.name());
          if (having != null && !workload.conditions().finished()) {
            having.add(workload);
          }
        }
      }
    }
    return new ShownChecks(
        snapshot.time(),
        checks.stream()
            .sorted(Comparator.comparing(check -> ObjectKey.of(check).name()))
            .map(
                check ->
                    row(
                        check,
                        byCheck.getOrDefault(ObjectKey.of(check).name(), List.of()),
                        transitions))
            .toList());
  }

  private static CheckRow row(
      AdmissionCheck check, List<Workload> workloads, Transitions transitions) {
    String name = ObjectKey.of(check).name();
    Map<String, Integer> states = new TreeMap<>();
    workloads.forEach(
        workload -> states.merge(String.valueOf(entry(workload, name).state()), 1, Integer::sum));
    Map<ObjectKey, List<Transition>> seen = transitions.ofCheck(name);
    Condition active = Conditions.find(check.status().conditions(), "Active").orElse(null);
    return new CheckRow(
        name,
        check.spec().controllerName(),
        active != null && active.isTrue(),
        active == null ? "no controller has answered for it yet" : active.message(),
        states,
        workloads.stream()
            .sorted(
                Comparator.<Workload, Instant>comparing(
                        workload -> entry(workload, name).lastTransitionTime())
                    .reversed()
                    .thenComparing(ObjectKey::of))
            .limit(MOST_WORKLOADS)
            .map(
                workload ->
                    strip(workload, name, seen.getOrDefault(ObjectKey.of(workload), List.of())))
            .toList());
  }

  private static AdmissionCheckState entry(Workload workload, String check) {
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.name().equals(check))
        .findFirst()
        .orElseThrow();
  }

  /** The strips of all checks of a Workload. */
  static List<NamedStrip> of(Workload workload, List<Transition> seen) {
    return workload.status().admissionChecks().stream()
        .map(
            entry ->
                new NamedStrip(
                    entry.name(),
                    strip(
                            workload,
                            entry.name(),
                            seen.stream()
                                .filter(each -> each.check().equals(entry.name()))
                                .toList())
                        .spans()))
        .toList();
  }

  private static Strip strip(Workload workload, String check, List<Transition> seen) {
    ObjectKey key = ObjectKey.of(workload);
    List<Span> spans = new ArrayList<>();
    for (Transition each : seen.subList(Math.max(0, seen.size() - MOST_TRANSITIONS), seen.size())) {
      spans.add(new Span(each.state(), each.time(), each.attempts(), each.message()));
    }
    ShownWorkload.CheckEntry now = ShownWorkload.CheckEntry.of(entry(workload, check));
    if (spans.isEmpty() || !spans.getLast().state().equals(now.state())) {
      spans.add(new Span(now.state(), now.since(), now.attempts(), now.message()));
    }
    return new Strip(key.namespace(), key.name(), spans);
  }
}
