// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A Workload that is to be preempted.
 *
 * @param candidate the Workload
 * @param reason why it may be preempted
 */
@API(status = API.Status.INTERNAL)
public record Target(Candidate candidate, PreemptionReason reason) {
  public Target {
    Objects.requireNonNull(candidate, "candidate");
    Objects.requireNonNull(reason, "reason");
  }
}
