// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Workload;
import java.util.List;

/**
 * The change that a rule asks for.
 *
 * @param spec whether the spec changes, rather than the status
 * @param applied the observed entries that hold after the write
 */
record ProposedWrite(
    Rule rule,
    Workload after,
    boolean spec,
    ObservedEntries applied,
    List<LifecycleEvent> events,
    List<LifecycleMetric> metrics) {

  /** R8(a) and R11: deactivate, and nothing else in the same patch. */
  static ProposedWrite deactivate(Rule rule, SituationView view) {
    Workload workload = view.workload();
    return new ProposedWrite(
        rule,
        workload.withSpec(workload.spec().withActive(false)),
        true,
        view.seen(),
        List.of(),
        List.of());
  }
}
