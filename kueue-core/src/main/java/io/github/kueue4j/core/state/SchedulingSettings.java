// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.jobs.JobKinds;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The part of the configuration about scheduling.
 *
 * @param resources which resources of the pods need quota
 * @param usage how past usage counts for admission fair sharing; null if it doesn't count
 * @param preemption how preemption chooses its targets
 * @param gates what the feature gates say
 * @param podsReady whether admission depends on pods getting ready
 * @param switchedOff which settings of queues have no effect
 * @param kinds of Jobs that the core can manage
 */
@API(status = API.Status.INTERNAL)
public record SchedulingSettings(
    ResourceRules resources,
    @Nullable UsagePolicy usage,
    PreemptionSettings preemption,
    SchedulingGates gates,
    WaitForPodsReady podsReady,
    SwitchedOff switchedOff,
    JobKinds kinds) {

  /** The settings of a configuration. */
  public static SchedulingSettings of(Configuration configuration) {
    return new SchedulingSettings(
        configuration.resourceRules(),
        configuration.usagePolicy().orElse(null),
        preemption(configuration),
        gates(configuration.featureGates()),
        configuration.podsReady(),
        SwitchedOff.by(configuration),
        configuration.integrations().kinds());
  }

  private static PreemptionSettings preemption(Configuration configuration) {
    return new PreemptionSettings(
        configuration.fairSharingStrategies(),
        configuration.featureGates().enabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL),
        configuration.featureGates().enabled(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING));
  }

  private static SchedulingGates gates(FeatureGates gates) {
    return new SchedulingGates(
        gates.enabled(FeatureGate.PARTIAL_ADMISSION),
        gates.enabled(FeatureGate.FLAVOR_FUNGIBILITY),
        gates.enabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT),
        gates.enabled(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP),
        gates.enabled(FeatureGate.ADMISSION_GATED_BY),
        gates.enabled(FeatureGate.PRIORITY_BOOST),
        gates.enabled(FeatureGate.FINISH_ORPHANED_WORKLOADS));
  }
}
