// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.Workload;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A Workload's effective priority: that of its spec, raised or lowered by the annotation {@code
 * kueue.x-k8s.io/priority-boost}.
 *
 * @param base {@code spec.priority}; 0 if absent
 * @param boost the annotation's value, which may be negative; 0 if it is absent or no integer, or
 *     if the gate PriorityBoost is off
 */
@API(status = API.Status.INTERNAL)
public record WorkloadPriority(int base, int boost) {
  /** The annotation, of Workloads. */
  public static final String BOOST = "kueue.x-k8s.io/priority-boost";

  /**
   * The priority of a Workload.
   *
   * @param boosts whether the annotation counts
   */
  public static WorkloadPriority of(Workload workload, boolean boosts) {
    int base = Objects.requireNonNullElse(workload.spec().priority(), 0);
    String boost = Metadata.annotations(workload).get(BOOST);
    return new WorkloadPriority(base, boosts && boost != null ? number(boost) : 0);
  }

  /** A value that is no integer counts as 0; normally the webhook refuses it. */
  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The sum of both, saturated at the bounds of int. */
  public int effective() {
    return Math.clamp((long) base + boost, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }
}
