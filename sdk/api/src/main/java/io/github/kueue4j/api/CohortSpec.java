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
import org.jspecify.annotations.Nullable;

/**
 * The place of a Cohort in the tree and its own quota.
 *
 * @param parentName the parent Cohort; absent means root
 * @param resourceGroups quota shared by all below, at most 16
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

  /** A copy with another {@code parentName}. */
  public CohortSpec withParentName(@Nullable String parentName) {
    return new CohortSpec(parentName, resourceGroups, fairSharing, admissionScope);
  }

  /** A copy with another {@code resourceGroups}. */
  public CohortSpec withResourceGroups(List<ResourceGroup> resourceGroups) {
    return new CohortSpec(parentName, resourceGroups, fairSharing, admissionScope);
  }

  /** A copy with another {@code fairSharing}. */
  public CohortSpec withFairSharing(@Nullable FairSharing fairSharing) {
    return new CohortSpec(parentName, resourceGroups, fairSharing, admissionScope);
  }

  /** A copy with another {@code admissionScope}. */
  public CohortSpec withAdmissionScope(@Nullable AdmissionScope admissionScope) {
    return new CohortSpec(parentName, resourceGroups, fairSharing, admissionScope);
  }
}
