// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.prometheuscheck.PrometheusCheckOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The Prometheus check's options on the command line. */
final class PrometheusFlags {
  private static final PrometheusCheckOptions DEFAULTS = PrometheusCheckOptions.defaults();

  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      description =
          "what AdmissionChecks name as their controller (default: kueue4j.io/prometheus)")
  private String controllerName = DEFAULTS.controllerName();

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "how often Workloads are asked about again that were let through, where their"
              + " PrometheusCheck has recheckReady (default: 1m)")
  private Duration recheckReadyEvery = DEFAULTS.recheckReadyEvery();

  @Mixin private EndpointFlags endpoints = new EndpointFlags();

  PrometheusCheckOptions options() {
    return new PrometheusCheckOptions(
        controllerName, endpoints.addresses(), endpoints.allowFiles(), recheckReadyEvery);
  }
}
