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

import io.github.kueue4j.api.CohortSpec;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Cohort's place in the quota tree and what it adds.
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

  /** A Cohort as the API states it. */
  public static CohortQuotas of(String name, CohortSpec spec) {
    return new CohortQuotas(
        name,
        spec.parentName(),
        Quota.byKey(spec.resourceGroups()),
        Weights.of(spec.fairSharing()));
  }

  /** A Cohort that somebody names, without an object of that name: it only ties its members. */
  static CohortQuotas implicit(String name) {
    return new CohortQuotas(name, null, Map.of(), 1);
  }
}
