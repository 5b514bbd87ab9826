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
 * @param nominal what the node owns
 * @param borrowingLimit how much more it may take from its cohort; null for no limit
 * @param lendingLimit how much of its own others may take; null for all
 */
@API(status = API.Status.INTERNAL)
public record Quota(long nominal, @Nullable Long borrowingLimit, @Nullable Long lendingLimit) {
  /** No quota at all. */
  public static final Quota ZERO = new Quota(0, null, null);

  /** The quota as the API states it. */
  public static Quota of(ResourceQuota quota) {
    return new Quota(
        ResourceUnits.of(quota.name(), quota.nominalQuota()),
        limit(quota.name(), quota.borrowingLimit()),
        limit(quota.name(), quota.lendingLimit()));
  }

  /** The quotas that these groups state, by flavor and resource. */
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
