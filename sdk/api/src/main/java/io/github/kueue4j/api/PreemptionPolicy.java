// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * kueue4j extension: when quota for a workload under this check may be freed by preemption
 * (KEP-993).
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PreemptionPolicy(String value) implements OpenValue {
  /** Before the check runs. */
  public static final PreemptionPolicy ANYTIME = new PreemptionPolicy("Anytime");

  /** Only when the check has passed, or when it requests the preemption. */
  public static final PreemptionPolicy AFTER_CHECK_PASSED_OR_ON_DEMAND =
      new PreemptionPolicy("AfterCheckPassedOrOnDemand");

  @Override
  public String toString() {
    return value;
  }
}
