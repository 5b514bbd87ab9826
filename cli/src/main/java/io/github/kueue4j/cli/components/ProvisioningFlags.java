// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.provisioning.ProvisioningOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The provisioning check's options on the command line. */
final class ProvisioningFlags {
  private static final ProvisioningOptions DEFAULTS = ProvisioningOptions.defaults();

  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      description =
          "what AdmissionChecks name as their controller (default:"
              + " kueue.x-k8s.io/provisioning-request)")
  private String controllerName = DEFAULTS.controllerName();

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "how often the request of a Workload that is Ready is read again, besides when it"
              + " changes, such as 10m (default: 1h)")
  private Duration recheckReadyEvery = DEFAULTS.recheckReadyEvery();

  ProvisioningOptions options() {
    return new ProvisioningOptions(controllerName, recheckReadyEvery);
  }
}
