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

import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/** The outcome of assigning flavors to the pod sets of a Workload. */
@API(status = API.Status.INTERNAL)
public sealed interface Assignment {
  /** Where to go on if nothing comes of it. */
  FlavorProgress progress();

  /**
   * Everything fits.
   *
   * @param podSets the flavors of each pod set, in their order
   * @param usage the quota taken in all
   * @param borrowLevel height of the lowest subtree of the quota tree that covers it; 0 if nothing
   *     is borrowed
   */
  record Fits(
      List<PodSetAssignment> podSets,
      Amounts<FlavorResource> usage,
      int borrowLevel,
      FlavorProgress progress)
      implements Assignment {
    public Fits {
      podSets = List.copyOf(podSets);
    }
  }

  /**
   * Everything would fit if others gave way, and taken one by one each amount finds somebody who
   * can be made to.
   *
   * @param podSets the flavors of each pod set, in their order
   * @param usage the quota taken in all
   * @param contested those of the amounts that don't fit now
   * @param reclaims whether only Workloads of other ClusterQueues are in the way
   * @param borrowLevel as of {@link Fits}, afterwards
   * @param message names every flavor that was considered and what it lacks
   */
  record Preempts(
      List<PodSetAssignment> podSets,
      Amounts<FlavorResource> usage,
      Set<FlavorResource> contested,
      boolean reclaims,
      int borrowLevel,
      String message,
      FlavorProgress progress)
      implements Assignment {
    public Preempts {
      podSets = List.copyOf(podSets);
      contested = Set.copyOf(contested);
    }
  }

  /**
   * At least one pod set gets no flavor.
   *
   * @param reason the gravest reason among the pod sets
   * @param message names every flavor that was considered
   * @param wanted the quota that it waits for, where every pod set would have a flavor if others
   *     gave way, but nobody must; otherwise nothing
   * @param borrowLevel as of {@link Fits}, of what is wanted
   */
  record NoFit(
      NoFitReason reason,
      String message,
      Amounts<FlavorResource> wanted,
      int borrowLevel,
      FlavorProgress progress)
      implements Assignment {
    /** Where waiting for the quota of others is pointless. */
    public NoFit(NoFitReason reason, String message) {
      this(reason, message, Amounts.none(), 0, FlavorProgress.none());
    }
  }
}
