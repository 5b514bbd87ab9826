// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;

/**
 * The candidates for preemption, with the configuration that applies to every search among them.
 *
 * @param quotaHolders the holders of quota; a view that is valid for one cycle
 * @param settings the configuration
 * @param usageOfLocalQueue under admission fair sharing; 0 where that is off
 */
@API(status = API.Status.INTERNAL)
public record PreemptionCandidates(
    QuotaHolders quotaHolders,
    PreemptionSettings settings,
    ToDoubleFunction<ObjectKey> usageOfLocalQueue) {

  /** No candidates. */
  public static PreemptionCandidates none() {
    return new PreemptionCandidates(
        QuotaHolders.none(), PreemptionSettings.classical(), localQueue -> 0);
  }

  /** A search for targets among them, given the quota and its usage. */
  public TargetSearch searchIn(QuotaTree quota) {
    return new TargetSearch(quota, quotaHolders, settings, usageOfLocalQueue);
  }

  /** The candidates without these. */
  public PreemptionCandidates without(Set<ObjectKey> some) {
    return some.isEmpty() ? this : where(candidate -> !some.contains(candidate.key()));
  }

  /** The candidates among these. */
  PreemptionCandidates only(Set<ObjectKey> some) {
    return where(candidate -> some.contains(candidate.key()));
  }

  private PreemptionCandidates where(Predicate<Candidate> kept) {
    return new PreemptionCandidates(
        queue -> quotaHolders.of(queue).stream().filter(kept).toList(),
        settings,
        usageOfLocalQueue);
  }
}
