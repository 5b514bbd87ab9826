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
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Workload;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * What decides who goes before whom: the priority in a Workload's spec, raised or lowered by the
 * annotation {@code kueue.x-k8s.io/priority-boost}.
 *
 * @param base {@code spec.priority}; 0 if absent
 * @param boost what the annotation adds; 0 without one, with one that is no number, and with the
 *     gate PriorityBoost off
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
    String boost =
        Objects.requireNonNullElse(workload.metadata().getAnnotations(), Map.<String, String>of())
            .get(BOOST);
    return new WorkloadPriority(base, boosts && boost != null ? number(boost) : 0);
  }

  /** The webhook refuses what is no number; what got past it is no boost. */
  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Both together; the largest or smallest number instead of an overflow. */
  public int effective() {
    return Math.clamp((long) base + boost, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }
}
