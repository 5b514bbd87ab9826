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
 * The quota that an assignment takes: what was assigned, or the share of it that the pods need that
 * can still run ({@link RemainingPods}).
 *
 * <p>The pods that had stopped for good before the quota was reserved aren't in the assignment's
 * count, those that did so since are. So they can't simply be deducted from it; what is counted is
 * the smaller of what was assigned and what can still run.
 */
@API(status = API.Status.INTERNAL)
public final class AdmittedUsage {
  private AdmittedUsage() {}

  /** What a Workload with this status uses; nothing without an admission. */
  public static Amounts<FlavorResource> of(Workload workload) {
    RemainingPods remaining = RemainingPods.of(workload);
    return sum(workload, (total, podSet) -> share(total, podSet, remaining));
  }

  /** What a Workload with this status was assigned, however many pods still run. */
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
                    // Somebody wrote it by hand: nobody can give the others quota.
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
