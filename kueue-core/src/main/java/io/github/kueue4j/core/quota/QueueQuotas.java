// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.ClusterQueueSpec;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue's position in the quota tree and its quota.
 *
 * @param name of the ClusterQueue
 * @param cohort name of its Cohort; null if it has none
 * @param quotas its own quota
 * @param weight among its siblings in fair sharing, 0 or more
 */
@API(status = API.Status.INTERNAL)
public record QueueQuotas(
    String name, @Nullable String cohort, Map<FlavorResource, Quota> quotas, double weight) {
  public QueueQuotas {
    quotas = Map.copyOf(quotas);
  }

  /** The ClusterQueue of an API object. */
  public static QueueQuotas of(String name, ClusterQueueSpec spec) {
    return new QueueQuotas(
        name,
        spec.cohortName(),
        Quota.byKey(spec.resourceGroups()),
        Weights.of(spec.fairSharing()));
  }

  /** A ClusterQueue without an object: no quota, no Cohort. */
  static QueueQuotas unknown(String name) {
    return new QueueQuotas(name, null, Map.of(), 1);
  }
}
