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
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What there would be room for if some candidates were gone. */
final class Room {
  private final Preemptor preemptor;
  private final QuotaTree.Trial trial;

  Room(QuotaTree tree, Preemptor preemptor) {
    this.preemptor = preemptor;
    this.trial = tree.trial();
  }

  QuotaTree.Trial trial() {
    return trial;
  }

  void without(Candidate candidate) {
    trial.giveBack(candidate.clusterQueue(), candidate.usage());
  }

  void with(Candidate candidate) {
    trial.take(candidate.clusterQueue(), candidate.usage());
  }

  /** As if the preemptor had what it asks for. */
  void withPreemptor() {
    trial.take(preemptor.clusterQueue(), preemptor.usage());
  }

  void withoutPreemptor() {
    trial.giveBack(preemptor.clusterQueue(), preemptor.usage());
  }

  /** Everybody is back. */
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

  /** Whether a node uses more than its own of anything contested. */
  boolean exceeds(NodeId node) {
    for (FlavorResource key : preemptor.contested()) {
      if (trial.borrowing(node, key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Puts back, from the last but one to the first, whoever turns out not to be needed: no target of
   * the result can be left out.
   *
   * @param chosen who was taken out, in that order; the last one made the difference
   * @param borrowing whether the preemptor may borrow
   */
  List<Target> fillBack(List<Target> chosen, boolean borrowing) {
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
