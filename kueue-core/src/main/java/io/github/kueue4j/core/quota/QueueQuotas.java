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

import io.github.kueue4j.api.ClusterQueueSpec;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue's place in the quota tree and what it owns.
 *
 * @param name of the ClusterQueue
 * @param cohort name of its Cohort; null if it stands alone
 * @param quotas what it owns
 * @param weight among its siblings in fair sharing, 0 or more
 */
@API(status = API.Status.INTERNAL)
public record QueueQuotas(
    String name, @Nullable String cohort, Map<FlavorResource, Quota> quotas, double weight) {
  public QueueQuotas {
    quotas = Map.copyOf(quotas);
  }

  /** A ClusterQueue as the API states it. */
  public static QueueQuotas of(String name, ClusterQueueSpec spec) {
    return new QueueQuotas(
        name,
        spec.cohortName(),
        Quota.byKey(spec.resourceGroups()),
        Weights.of(spec.fairSharing()));
  }

  /** A ClusterQueue that owns nothing and shares with nobody: there is no object of that name. */
  static QueueQuotas unknown(String name) {
    return new QueueQuotas(name, null, Map.of(), 1);
  }
}
