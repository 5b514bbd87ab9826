// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The pod sets of a workload that share one entry of a ProvisioningRequest.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetMergePolicy(String value) implements OpenValue {
  /** Pod sets with the same template. */
  public static final PodSetMergePolicy IDENTICAL_POD_TEMPLATES =
      new PodSetMergePolicy("IdenticalPodTemplates");

  /** Pod sets with the same requirements on nodes. */
  public static final PodSetMergePolicy IDENTICAL_WORKLOAD_SCHEDULING_REQUIREMENTS =
      new PodSetMergePolicy("IdenticalWorkloadSchedulingRequirements");

  @Override
  public String toString() {
    return value;
  }
}
