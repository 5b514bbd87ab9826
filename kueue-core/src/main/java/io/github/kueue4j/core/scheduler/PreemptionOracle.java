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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.quota.FlavorResource;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Tells the flavor assignment what preemption could do about one amount that doesn't fit now. A
 * question, never a decision: whom to preempt is decided for the whole assignment.
 */
@API(status = API.Status.INTERNAL)
@FunctionalInterface
public interface PreemptionOracle {
  /** Preemption as if for this amount alone. */
  Simulation simulate(FlavorResource contested, long amount);

  /** What could be preempted; the later constant is the better one. */
  @API(status = API.Status.INTERNAL)
  enum Possibility {
    /** Nobody may be preempted, or not enough of them. */
    NO_CANDIDATES,
    /** Workloads of the same ClusterQueue, perhaps others as well. */
    PREEMPT,
    /** Only Workloads of other ClusterQueues, which hold what this one may have. */
    RECLAIM
  }

  /**
   * What would come of it.
   *
   * @param possibility who could be preempted
   * @param borrowLevel height of the lowest subtree whose quota covers the amount afterwards; 0 is
   *     the ClusterQueue itself
   */
  @API(status = API.Status.INTERNAL)
  record Simulation(Possibility possibility, int borrowLevel) {
    public Simulation {
      Objects.requireNonNull(possibility, "possibility");
    }
  }

  /** Where preemption is out of the question. */
  static PreemptionOracle never() {
    return (contested, amount) -> new Simulation(Possibility.NO_CANDIDATES, 0);
  }
}
