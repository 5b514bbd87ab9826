// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
}
