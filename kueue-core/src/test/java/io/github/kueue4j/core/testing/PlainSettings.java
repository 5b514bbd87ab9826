// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.state.SchedulingSettings;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.jobs.JobKinds;
import org.jspecify.annotations.Nullable;

/** Settings of the scheduler without any configuration. */
public final class PlainSettings {
  private PlainSettings() {}

  /** The defaults: no usage counts, and preemption is classical. */
  public static SchedulingSettings create() {
    return with(null, PreemptionSettings.classical());
  }

  /**
   * The defaults, but for usage and preemption.
   *
   * @param usage how past usage counts; null if it doesn't count
   */
  public static SchedulingSettings with(
      @Nullable UsagePolicy usage, PreemptionSettings preemption) {
    return new SchedulingSettings(
        ResourceRules.plain(),
        usage,
        preemption,
        SchedulingGates.defaults(),
        WaitForPodsReady.ifAsked(),
        new SwitchedOff(
            usage == null,
            !preemption.fairSharing(),
            FeatureGates.defaults(),
            WaitForPodsReady.ifAsked()),
        JobKinds.inCode());
  }
}
