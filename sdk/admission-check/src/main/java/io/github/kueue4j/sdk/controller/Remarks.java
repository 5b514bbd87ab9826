// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What the Active condition of a check that works says besides: which of its fields have no effect.
 */
final class Remarks {

  /** The field is gone only on servers whose API is older than KEP-3258. */
  private static final String DELAYS_DROPPED =
      "the server does not keep requeueAfterSeconds, so this check waits with its next Retry itself"
          + " while quota stays reserved: upgrade the CRD of Workload";

  private static final String RETRY_UNUSED =
      "spec.retry has no effect, since this check names the delay of each Retry: leave it out, and"
          + " bound its delays by spec.retryLimits";

  private final DroppedDelays droppedDelays;
  private final boolean namesDelays;

  /**
   * @param namesDelays whether each Retry of the check has a delay of its own
   */
  Remarks(DroppedDelays droppedDelays, boolean namesDelays) {
    this.droppedDelays = droppedDelays;
    this.namesDelays = namesDelays;
  }

  /** Each with its remedy. */
  List<String> on(AdmissionCheck check) {
    List<String> remarks = new ArrayList<>();
    if (droppedDelays.affect(check.key().name())) {
      remarks.add(DELAYS_DROPPED);
    }
    AdmissionCheckSpec spec = check.spec();
    // The core's own Retry, of a check that stays silent, is delayed by it.
    if (namesDelays && spec.retry() != null && spec.pendingTimeoutSeconds() == null) {
      remarks.add(RETRY_UNUSED);
    }
    return remarks;
  }
}
