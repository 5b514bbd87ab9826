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
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The quota that an assignment takes: what was assigned, less the share of the pods that need it no
 * more ({@code status.reclaimablePods}, KEP-78).
 */
@API(status = API.Status.INTERNAL)
public final class AdmittedUsage {
  private AdmittedUsage() {}

  /** What a Workload with this status uses; nothing without an admission. */
  public static Amounts<FlavorResource> of(Workload workload) {
    Admission admission = workload.status().admission();
    return admission == null ? Amounts.none() : of(admission, workload.status().reclaimablePods());
  }

  /**
   * What an admission uses.
   *
   * @param reclaimablePods the pods that need quota no more
   */
  public static Amounts<FlavorResource> of(
      Admission admission, List<ReclaimablePod> reclaimablePods) {
    Map<String, Integer> reclaimable = new HashMap<>();
    for (ReclaimablePod pods : reclaimablePods) {
      reclaimable.merge(pods.name(), Math.max(0, pods.count()), Math::max);
    }
    Map<FlavorResource, Long> usage = new TreeMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      int gone = reclaimable.getOrDefault(podSet.name(), 0);
      podSet
          .flavors()
          .forEach(
              (resource, flavor) -> {
                Quantity amount = podSet.resourceUsage().getOrDefault(resource, Quantity.ZERO);
                usage.merge(
                    new FlavorResource(flavor, resource),
                    // Somebody wrote it by hand: nobody can give the others quota.
                    remaining(Math.max(0, ResourceUnits.of(resource, amount)), podSet, gone),
                    Amounts::add);
              });
    }
    return Amounts.of(usage);
  }

  private static long remaining(long total, PodSetAssignment podSet, int gone) {
    Integer count = podSet.count();
    if (gone == 0 || count == null || count <= 0) {
      return total;
    }
    long perPod = Math.ceilDiv(total, count);
    return Math.min(total, Amounts.multiply(perPod, Math.max(0, count - gone)));
  }
}
