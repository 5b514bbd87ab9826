// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.job.JobKinds;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.core.usage.UsagePolicy;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about scheduling.
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
    JobKinds kinds) {}
