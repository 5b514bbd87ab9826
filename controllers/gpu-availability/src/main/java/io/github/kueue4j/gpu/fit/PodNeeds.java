// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The needs of one pod.
 *
 * @param requests what it takes of its node
 * @param constraints which nodes may take it
 * @param separation which pods of its workload must be elsewhere
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PodNeeds(Amounts requests, Constraints constraints, Separation separation) {

  /** The needs of a pod that may be together with any other. */
  public PodNeeds(Amounts requests, Constraints constraints) {
    this(requests, constraints, Separation.NONE);
  }

  /** Whether its node may have the label with this value. */
  boolean mayBeIn(String label, String value) {
    return constraints.selector().getOrDefault(label, value).equals(value);
  }

  /** The same pod, whose node must have the label with this value. */
  PodNeeds in(String label, String value) {
    return new PodNeeds(requests, constraints.with(Map.of(label, value), List.of()), separation);
  }

  /** The same pod without labels. */
  public PodNeeds withoutLabels() {
    return new PodNeeds(requests, constraints, separation.withoutLabels());
  }
}
