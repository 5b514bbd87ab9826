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
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;

/**
 * Who can be preempted, and by which rules of the whole core.
 *
 * @param holders who holds quota; a view that is good for one cycle
 * @param settings the configuration
 * @param usageOfLocalQueue as admission fair sharing counts it; 0 where it isn't in force
 */
@API(status = API.Status.INTERNAL)
public record Rivals(
    Holders holders, PreemptionSettings settings, ToDoubleFunction<ObjectKey> usageOfLocalQueue) {

  /** Nobody. */
  public static Rivals none() {
    return new Rivals(Holders.none(), PreemptionSettings.classical(), localQueue -> 0);
  }

  /** The search among them for whom to preempt, given the quota and its usage. */
  public TargetSearch searchIn(QuotaTree quota) {
    return new TargetSearch(quota, holders, settings, usageOfLocalQueue);
  }

  /** The others. */
  public Rivals without(Set<ObjectKey> some) {
    return some.isEmpty() ? this : where(candidate -> !some.contains(candidate.key()));
  }

  /** None but these. */
  Rivals only(Set<ObjectKey> some) {
    return where(candidate -> some.contains(candidate.key()));
  }

  private Rivals where(Predicate<Candidate> kept) {
    return new Rivals(
        queue -> holders.of(queue).stream().filter(kept).toList(), settings, usageOfLocalQueue);
  }
}
