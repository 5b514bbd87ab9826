// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The configuration of preemption within cohorts.
 *
 * @param strategies of fair sharing, in the order to try; empty for preemption without fair sharing
 * @param withinNominalIsFree whether, under fair sharing, a preemptor that stays within its nominal
 *     quota may reclaim it whatever the shares are
 * @param nonBorrowingFirst whether, under fair sharing, Workloads that needn't borrow precede those
 *     that must, even if these have a smaller share
 */
@API(status = API.Status.INTERNAL)
public record PreemptionSettings(
    List<FairSharingStrategy> strategies, boolean withinNominalIsFree, boolean nonBorrowingFirst) {
  public PreemptionSettings {
    strategies = List.copyOf(strategies);
  }

  /** Without fair sharing. */
  public static PreemptionSettings classical() {
    return new PreemptionSettings(List.of(), true, true);
  }

  /** Fair sharing with the defaults of the feature gates. */
  public static PreemptionSettings fairSharing(FairSharingStrategy... strategies) {
    return new PreemptionSettings(List.of(strategies), true, true);
  }

  public boolean fairSharing() {
    return !strategies.isEmpty();
  }
}
