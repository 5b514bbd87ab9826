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

import java.util.Map;
import org.apiguardian.api.API;

/**
 * The quota of one ClusterQueue and how much of it is in use. A value: reserving makes a new node,
 * so a snapshot is a matter of keeping references.
 *
 * <p>A ClusterQueue stands alone as yet. With cohorts a node gets a parent, and {@link #available}
 * and {@link #potentialAvailable} also count what may be borrowed; callers only ever ask those two.
 *
 * @param quotas by flavor and resource
 * @param usage reserved quota, of Workloads that haven't finished; may exceed a quota that shrank
 */
@API(status = API.Status.INTERNAL)
public record QuotaNode(Map<FlavorResource, Quota> quotas, Amounts<FlavorResource> usage) {
  public QuotaNode {
    // No copy when it is one already: a reservation costs its usage only.
    quotas = Map.copyOf(quotas);
  }

  /** A node that nothing uses yet. */
  public static QuotaNode unused(Map<FlavorResource, Quota> quotas) {
    return new QuotaNode(quotas, Amounts.none());
  }

  /** What can be reserved now; negative while usage exceeds a quota that shrank. */
  public long available(FlavorResource key) {
    return Amounts.subtract(quota(key).nominal(), usage.get(key));
  }

  /** What could be reserved if nothing else were. */
  public long potentialAvailable(FlavorResource key) {
    return quota(key).nominal();
  }

  /** Whether all of {@code amounts} can be reserved now. */
  public boolean fits(Amounts<FlavorResource> amounts) {
    return amounts.asMap().entrySet().stream()
        .allMatch(entry -> entry.getValue() <= available(entry.getKey()));
  }

  /** Whether more is reserved than there is, since a quota shrank. */
  public boolean exceeded() {
    return usage.asMap().keySet().stream().anyMatch(key -> available(key) < 0);
  }

  public QuotaNode reserve(Amounts<FlavorResource> amounts) {
    return new QuotaNode(quotas, usage.plus(amounts));
  }

  public QuotaNode release(Amounts<FlavorResource> amounts) {
    return new QuotaNode(quotas, usage.minus(amounts));
  }

  /** The same usage against other quotas, after the queue's spec has changed. */
  public QuotaNode withQuotas(Map<FlavorResource, Quota> changed) {
    return new QuotaNode(changed, usage);
  }

  private Quota quota(FlavorResource key) {
    return quotas.getOrDefault(key, Quota.ZERO);
  }
}
