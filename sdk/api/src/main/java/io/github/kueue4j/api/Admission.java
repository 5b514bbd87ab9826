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
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The quota reserved for a workload: by which ClusterQueue, on which flavors.
 *
 * @param clusterQueue the ClusterQueue whose quota is used; empty when absent
 * @param podSetAssignments one per pod set, keyed by name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Admission(String clusterQueue, List<PodSetAssignment> podSetAssignments) {
  public Admission {
    clusterQueue = Lenient.text(clusterQueue);
    podSetAssignments = Lenient.list(podSetAssignments);
  }

  /** A copy with another {@code clusterQueue}. */
  public Admission withClusterQueue(String clusterQueue) {
    return new Admission(clusterQueue, podSetAssignments);
  }

  /** A copy with another {@code podSetAssignments}. */
  public Admission withPodSetAssignments(List<PodSetAssignment> podSetAssignments) {
    return new Admission(clusterQueue, podSetAssignments);
  }
}
