// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.state.SchedulingSettings;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.runtime.LeaderElection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates the configuration into the settings of the parts of the core. */
final class ConfiguredSettings {
  private static final Logger log = LoggerFactory.getLogger(ConfiguredSettings.class);

  private ConfiguredSettings() {}

  /** Logs settings that are valid but have no effect. */
  static void warnAboutIneffective(Configuration configuration) {
    if (!configuration.unusedKeys().isEmpty()) {
      log.atWarn()
          .addKeyValue("keys", configuration.unusedKeys())
          .log("The configuration has keys that have no effect");
    }
    if (configuration.usagePolicy().filter(policy -> policy.halfLife().isZero()).isPresent()) {
      log.atWarn()
          .addKeyValue("key", "admissionFairSharing.usageHalfLifeTime")
          .log("Past usage decays at once and has no effect; set a half-life above 0");
    }
  }

  static SchedulingSettings scheduling(Configuration configuration) {
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

  static LifecycleSettings lifecycle(Configuration configuration) {
    return LifecycleSettings.defaults()
        .withAcRequeueAfter(configuration.featureGates().enabled(FeatureGate.AC_REQUEUE_AFTER))
        .withRetryDelays(
            configuration.extensions().minimumRetryDelay(),
            configuration.extensions().maximumRetryDelay());
  }

  static LeaderElection election(Configuration configuration, @Nullable String identity) {
    var settings = configuration.leaderElection();
    LeaderElection election =
        LeaderElection.named(configuration.namespace(), settings.resourceName())
            .withTimes(settings.leaseDuration(), settings.renewDeadline(), settings.retryPeriod());
    return identity == null ? election : election.withIdentity(identity);
  }
}
