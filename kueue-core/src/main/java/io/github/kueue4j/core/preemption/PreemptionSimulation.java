// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Simulates the quota without some candidates, to test whether the preemptor fits. */
final class PreemptionSimulation {
  private final Preemptor preemptor;
  private final QuotaTree.Trial trial;

  PreemptionSimulation(QuotaTree tree, Preemptor preemptor) {
    this.preemptor = preemptor;
    this.trial = tree.trial();
  }

  QuotaTree.Trial trial() {
    return trial;
  }

  void without(Candidate candidate) {
    trial.release(candidate.clusterQueue(), candidate.usage());
  }

  void with(Candidate candidate) {
    trial.reserve(candidate.clusterQueue(), candidate.usage());
  }

  /** Counts the preemptor's request as used. */
  void withPreemptor() {
    trial.reserve(preemptor.clusterQueue(), preemptor.usage());
  }

  void withoutPreemptor() {
    trial.release(preemptor.clusterQueue(), preemptor.usage());
  }

  /** Puts all candidates back. */
  void reset() {
    trial.reset();
  }

  /** Whether the preemptor fits, borrowing if it must. */
  boolean fits() {
    return trial.fits(preemptor.clusterQueue(), preemptor.usage());
  }

  /** Whether the preemptor fits without borrowing. */
  boolean fitsWithinNominal() {
    NodeId queue = NodeId.queue(preemptor.clusterQueue());
    for (Map.Entry<FlavorResource, Long> entry : preemptor.usage().asMap().entrySet()) {
      if (trial.borrowing(queue, entry.getKey(), entry.getValue())) {
        return false;
      }
    }
    return fits();
  }

  /** Whether a node borrows any contested resource. */
  boolean exceeds(NodeId node) {
    for (FlavorResource key : preemptor.contested()) {
      if (trial.borrowing(node, key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes targets that turn out not to be needed, from the last but one to the first, so that the
   * result is minimal.
   *
   * @param chosen the targets in the order of their choice; with the last one the preemptor fits
   * @param borrowing whether the preemptor may borrow
   */
  List<Target> minimize(List<Target> chosen, boolean borrowing) {
    List<Target> needed = new ArrayList<>(chosen);
    for (int i = needed.size() - 2; i >= 0; i--) {
      Candidate candidate = needed.get(i).candidate();
      with(candidate);
      if (borrowing ? fits() : fitsWithinNominal()) {
        needed.remove(i);
      } else {
        without(candidate);
      }
    }
    return List.copyOf(needed);
  }
}
