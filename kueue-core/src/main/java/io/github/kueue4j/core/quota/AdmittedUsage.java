// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongBiFunction;
import org.apiguardian.api.API;

/**
 * The quota that an assignment uses: the assigned quota, or the share of it for the pods that can
 * still run ({@link RemainingPods}).
 *
 * <p>The assignment's count doesn't contain pods that had terminated for good before the
 * reservation, but does contain those that have since. So the reclaimable pods can't simply be
 * subtracted from it; the count used is the smaller of the assigned pods and those that can still
 * run.
 */
@API(status = API.Status.INTERNAL)
public final class AdmittedUsage {
  private AdmittedUsage() {}

  /** The quota that a Workload uses; none without an admission. */
  public static Amounts<FlavorResource> of(Workload workload) {
    RemainingPods remaining = RemainingPods.of(workload);
    return sum(workload, (total, podSet) -> share(total, podSet, remaining));
  }

  /** The quota that was assigned to a Workload, however many pods still run. */
  public static Amounts<FlavorResource> assigned(Workload workload) {
    return sum(workload, (total, podSet) -> total);
  }

  private static Amounts<FlavorResource> sum(
      Workload workload, ToLongBiFunction<Long, PodSetAssignment> counted) {
    Admission admission = workload.status().admission();
    if (admission == null) {
      return Amounts.none();
    }
    Map<FlavorResource, Long> usage = new TreeMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      podSet
          .flavors()
          .forEach(
              (resource, flavor) -> {
                Quantity amount = podSet.resourceUsage().getOrDefault(resource, Quantity.ZERO);
                usage.merge(
                    new FlavorResource(flavor, resource),
                    // A negative amount, written by hand, must not increase the quota of others.
                    counted.applyAsLong(Math.max(0, ResourceUnits.of(resource, amount)), podSet),
                    Amounts::add);
              });
    }
    return Amounts.of(usage);
  }

  private static long share(long total, PodSetAssignment podSet, RemainingPods remaining) {
    int assigned =
        Objects.requireNonNullElseGet(podSet.count(), () -> remaining.countOf(podSet.name(), 0));
    int running = remaining.in(podSet.name(), assigned);
    if (assigned <= 0 || running >= assigned) {
      return total;
    }
    return Math.min(total, Amounts.multiply(Math.ceilDiv(total, assigned), running));
  }
}
