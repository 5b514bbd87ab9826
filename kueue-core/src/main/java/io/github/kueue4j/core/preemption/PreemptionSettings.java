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

import java.util.List;
import org.apiguardian.api.API;

/**
 * How the configuration wants preemption within cohorts.
 *
 * @param strategies of fair sharing, in the order to try; empty for preemption by right and
 *     priority
 * @param withinNominalIsFree whether, under fair sharing, a preemptor that stays within its nominal
 *     quota may take it back whatever the shares are
 * @param nonBorrowingFirst whether, under fair sharing, Workloads that need not borrow go before
 *     those with a smaller share that must
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
