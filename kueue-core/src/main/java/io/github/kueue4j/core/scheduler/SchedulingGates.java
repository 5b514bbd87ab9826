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
package io.github.kueue4j.core.scheduler;

import org.apiguardian.api.API;

/**
 * What feature gates say about scheduling.
 *
 * @param partialAdmission whether a Workload that would do with fewer pods gets quota for fewer
 *     when all of them find none (KEP-420)
 * @param flavorFungibility whether {@code flavorFungibility} of ClusterQueues counts; otherwise its
 *     defaults hold
 * @param prioritySorting whether the higher priority goes first among the heads of a cohort
 * @param recomputesOverlaps whether a head whose targets give way to somebody else in the same
 *     cycle looks for others; otherwise it waits for the next cycle
 * @param admissionGates whether the annotation {@code kueue.x-k8s.io/admission-gated-by} keeps
 *     Workloads out of their queues
 * @param priorityBoost whether the annotation {@code kueue.x-k8s.io/priority-boost} counts
 */
@API(status = API.Status.INTERNAL)
public record SchedulingGates(
    boolean partialAdmission,
    boolean flavorFungibility,
    boolean prioritySorting,
    boolean recomputesOverlaps,
    boolean admissionGates,
    boolean priorityBoost) {

  /** Those that are on unless the configuration says otherwise. */
  public static SchedulingGates defaults() {
    return new SchedulingGates(true, true, true, true, true, false);
  }
}
