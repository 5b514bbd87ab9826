// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.report.BuildInfo;
import io.github.kueue4j.core.report.CohortInfo;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.report.Measured;
import io.github.kueue4j.core.report.QueueLabels;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;

/** Registers the meters of the core. */
final class Monitoring {
  private Monitoring() {}

  /** The core's meters in a registry. */
  static CoreMetrics in(
      PrometheusMeterRegistry registry,
      CoreInformers caches,
      Configuration configuration,
      InstantSource clock) {
    String role = configuration.leaderElection().leaderElect() ? "leader" : "standalone";
    registry.getPrometheusRegistry().register(new CohortInfo(caches, role));
    registry.getPrometheusRegistry().register(BuildInfo.read());
    return new CoreMetrics(
        registry,
        clock,
        measured(configuration),
        QueueLabels.of(caches, configuration.metrics()),
        configuration.integrations().kinds(),
        role);
  }

  private static Measured measured(Configuration configuration) {
    return new Measured(
        configuration.metrics().resources(),
        configuration.featureGates().enabled(FeatureGate.METRICS_FOR_COHORTS),
        !configuration.fairSharingStrategies().isEmpty());
  }
}
