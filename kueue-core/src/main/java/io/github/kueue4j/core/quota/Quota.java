// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.ResourceGroup;
import io.github.kueue4j.api.ResourceQuota;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The quota of one {@link FlavorResource} at one node of the quota tree.
 *
 * @param nominal the node's own quota
 * @param borrowingLimit how much it may borrow from its cohort; null for no limit
 * @param lendingLimit how much of its own quota others may borrow; null for all
 */
@API(status = API.Status.INTERNAL)
public record Quota(long nominal, @Nullable Long borrowingLimit, @Nullable Long lendingLimit) {
  /** No quota at all. */
  public static final Quota ZERO = new Quota(0, null, null);

  /** The quota of an API object. */
  public static Quota of(ResourceQuota quota) {
    return new Quota(
        ResourceUnits.of(quota.name(), quota.nominalQuota()),
        limit(quota.name(), quota.borrowingLimit()),
        limit(quota.name(), quota.lendingLimit()));
  }

  /** The quotas in these groups, by flavor and resource. */
  public static Map<FlavorResource, Quota> byKey(List<ResourceGroup> groups) {
    Map<FlavorResource, Quota> quotas = new HashMap<>();
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota resource : flavor.resources()) {
          quotas.put(new FlavorResource(flavor.name(), resource.name()), of(resource));
        }
      }
    }
    return quotas;
  }

  private static @Nullable Long limit(
      String resource, io.github.kueue4j.api.@Nullable Quantity limit) {
    return limit == null ? null : ResourceUnits.of(resource, limit);
  }
}
