// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.CohortSpec;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Cohort's position in the quota tree and its quota.
 *
 * @param name of the Cohort
 * @param parent name of its parent; null for a root
 * @param quotas its own quota, which all of its subtree may use
 * @param weight among its siblings in fair sharing, 0 or more
 */
@API(status = API.Status.INTERNAL)
public record CohortQuotas(
    String name, @Nullable String parent, Map<FlavorResource, Quota> quotas, double weight) {
  public CohortQuotas {
    quotas = Map.copyOf(quotas);
  }

  /** The Cohort of an API object. */
  public static CohortQuotas of(String name, CohortSpec spec) {
    return new CohortQuotas(
        name,
        spec.parentName(),
        Quota.byKey(spec.resourceGroups()),
        Weights.of(spec.fairSharing()));
  }

  /** A Cohort that is referenced but has no object: it has members but no quota. */
  static CohortQuotas implicit(String name) {
    return new CohortQuotas(name, null, Map.of(), 1);
  }
}
