// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.provisioning.ProvisioningOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The provisioning check's options on the command line. */
final class ProvisioningFlags {
  private static final ProvisioningOptions DEFAULTS = ProvisioningOptions.defaults();

  @Mixin
  private ControllerNameFlags controller = new ControllerNameFlags(DEFAULTS.controllerName());

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "how often the request of a Workload that is Ready is read again, besides when it"
              + " changes, such as 10m (default: 1h)")
  private Duration recheckReadyEvery = DEFAULTS.recheckReadyEvery();

  ProvisioningOptions options() {
    return new ProvisioningOptions(controller.controllerName(), recheckReadyEvery);
  }
}
