// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.gpu.GpuOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The GPU check's options on the command line. */
final class GpuFlags {
  private static final GpuOptions DEFAULTS = GpuOptions.defaults();

  @Mixin
  private ControllerNameFlags controller = new ControllerNameFlags(DEFAULTS.controllerName());

  @Option(
      names = "--wake-in-backoff",
      description =
          "end delays early when there is room, also of AdmissionChecks without a"
              + " GpuAvailabilityPolicy")
  private boolean wakeInBackoff;

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "how often Workloads that were let through are looked at again for lost nodes, where a"
              + " GpuAvailabilityPolicy evicts from them, such as 1m (default: 30s)")
  private Duration recheckReadyEvery = DEFAULTS.recheckEvery();

  @Mixin private EndpointFlags endpoints = new EndpointFlags();

  GpuOptions options() {
    return new GpuOptions(
        controller.controllerName(),
        DEFAULTS.withoutParameters().withWakeInBackoff(wakeInBackoff),
        recheckReadyEvery,
        endpoints.addresses(),
        endpoints.allowFiles());
  }
}
