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

import io.github.kueue4j.core.preemption.Preemptor;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;

/** What a head could get if it were alone in the cycle. */
sealed interface Nomination {
  SchedulingCycle.Head head();

  /** The quota that it asks for. */
  Amounts<FlavorResource> usage();

  /** How far it reaches up for it; 0 for its own ClusterQueue's. */
  int borrowLevel();

  /** It fits as things are. */
  record Fits(SchedulingCycle.Head head, Decision.Reserve decision, int borrowLevel)
      implements Nomination {
    @Override
    public Amounts<FlavorResource> usage() {
      return decision.usage();
    }
  }

  /**
   * It fits once others have given way.
   *
   * @param reservation what it gets then, or at once if the preemption is deferred
   * @param deferred whether an AdmissionCheck wants the preemption to wait for it (KEP-993)
   * @param targets who
   * @param shortage what is missing now
   */
  record Preempts(
      SchedulingCycle.Head head,
      Decision.Reserve reservation,
      boolean deferred,
      Preemptor preemptor,
      List<Target> targets,
      String shortage,
      int borrowLevel)
      implements Nomination {
    @Override
    public Amounts<FlavorResource> usage() {
      return preemptor.usage();
    }
  }

  /**
   * It fits neither now nor by preemption.
   *
   * @param usage what it waits for; nothing if waiting doesn't help
   * @param kept what is kept for it meanwhile: of its own quota, others should not borrow what it
   *     couldn't get back
   */
  record Refused(
      SchedulingCycle.Head head,
      Decision.Inadmissible decision,
      Amounts<FlavorResource> usage,
      Amounts<FlavorResource> kept,
      int borrowLevel)
      implements Nomination {}
}
