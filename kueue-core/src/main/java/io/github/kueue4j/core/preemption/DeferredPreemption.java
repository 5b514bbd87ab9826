// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A deferred preemption (KEP-993, {@code AfterCheckPassedOrOnDemand}): a reservation of quota that
 * its victims still hold. They are preempted later, or never if the reservation's checks fail.
 *
 * @param preemptor the Workload that has reserved quota or is about to
 * @param targets the victims; empty when all of them have released their quota already
 */
@API(status = API.Status.INTERNAL)
public record DeferredPreemption(Candidate preemptor, List<Target> targets) {
  public DeferredPreemption {
    Objects.requireNonNull(preemptor, "claimant");
    targets = List.copyOf(targets);
  }
}
