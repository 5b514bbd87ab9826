// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The place of a Cohort in the tree and its own quota.
 *
 * @param parentName the parent Cohort; absent means root
 * @param resourceGroups quota shared by all members below, at most 16
 * @param fairSharing weight among its siblings
 * @param admissionScope kueue4j extension: whether past usage orders the ClusterQueues below
 *     (KEP-4136)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CohortSpec(
    @Nullable String parentName,
    List<ResourceGroup> resourceGroups,
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionScope admissionScope) {
  public CohortSpec {
    resourceGroups = Lenient.list(resourceGroups);
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static CohortSpec empty() {
    return new CohortSpec(null, List.of(), null, null);
  }
}
