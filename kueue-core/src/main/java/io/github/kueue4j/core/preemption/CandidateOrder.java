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

import io.github.kueue4j.api.ObjectKey;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** Who is preempted first. */
final class CandidateOrder {
  private CandidateOrder() {}

  /**
   * Who is on its way out anyway, then those of other ClusterQueues, then, in the same one, those
   * whose LocalQueue has used more, then the lower priority, then who has held its quota for less
   * time, so that less work is lost.
   *
   * @param preempting the preemptor's ClusterQueue
   * @param usage of LocalQueues, as admission fair sharing counts it; 0 where it isn't in force
   */
  static Comparator<Candidate> of(String preempting, ToDoubleFunction<ObjectKey> usage) {
    return Comparator.comparing((Candidate candidate) -> !candidate.evicted())
        .thenComparing(candidate -> candidate.clusterQueue().equals(preempting))
        .thenComparing(
            Comparator.<Candidate>comparingDouble(
                    candidate ->
                        // Usage of LocalQueues compares within one ClusterQueue only.
                        candidate.clusterQueue().equals(preempting)
                            ? usage.applyAsDouble(candidate.localQueue())
                            : 0)
                .reversed())
        .thenComparingInt(Candidate::priority)
        .thenComparing(Candidate::reservedSince, Comparator.reverseOrder())
        .thenComparing(Candidate::uid)
        .thenComparing(Candidate::key);
  }
}
