// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.lease.LeaderElection;
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

  static LeaderElection election(Configuration configuration, @Nullable String identity) {
    var settings = configuration.leaderElection();
    LeaderElection election =
        LeaderElection.named(configuration.namespace(), settings.resourceName())
            .withTimes(settings.leaseDuration(), settings.renewDeadline(), settings.retryPeriod());
    return identity == null ? election : election.withIdentity(identity);
  }
}
