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

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.Claim;
import io.github.kueue4j.core.preemption.Rivals;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What a scheduling cycle knows of the world. Taking one means copying references: the parts are
 * immutable and shared with the State.
 *
 * @param queues the ClusterQueues that can admit, by name
 * @param quota the quota of all ClusterQueues and Cohorts and what is reserved of it
 * @param flavors the ResourceFlavors that exist, by name
 * @param namespaces labels of the namespaces, by name
 * @param rivals who holds quota and may have to give way
 * @param claims reservations whose quota others still hold (KEP-993)
 * @param gates what feature gates say
 */
@API(status = API.Status.INTERNAL)
public record Snapshot(
    Map<String, Queue> queues,
    QuotaTree quota,
    Map<String, ResourceFlavor> flavors,
    Map<String, Map<String, String>> namespaces,
    Rivals rivals,
    List<Claim> claims,
    SchedulingGates gates) {
  public Snapshot {
    queues = Map.copyOf(queues);
    flavors = Map.copyOf(flavors);
    namespaces = Map.copyOf(namespaces);
    claims = List.copyOf(claims);
  }

  /** A world without claims, under the default feature gates. */
  public Snapshot(
      Map<String, Queue> queues,
      QuotaTree quota,
      Map<String, ResourceFlavor> flavors,
      Map<String, Map<String, String>> namespaces,
      Rivals rivals) {
    this(queues, quota, flavors, namespaces, rivals, List.of(), SchedulingGates.defaults());
  }

  /** A world in which nobody can be preempted. */
  public Snapshot(
      Map<String, Queue> queues,
      QuotaTree quota,
      Map<String, ResourceFlavor> flavors,
      Map<String, Map<String, String>> namespaces) {
    this(queues, quota, flavors, namespaces, Rivals.none());
  }

  /**
   * A ClusterQueue.
   *
   * @param spec its rules
   * @param deferringChecks the AdmissionChecks for which preemption has to wait (KEP-993)
   */
  public record Queue(ClusterQueueSpec spec, Set<String> deferringChecks) {
    public Queue {
      deferringChecks = Set.copyOf(deferringChecks);
    }

    /** A queue whose Workloads preempt at once. */
    public Queue(ClusterQueueSpec spec) {
      this(spec, Set.of());
    }
  }
}
