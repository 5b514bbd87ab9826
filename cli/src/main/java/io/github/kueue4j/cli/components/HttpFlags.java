// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.httpcheck.HttpCheckOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The HTTP check's options on the command line. */
final class HttpFlags {
  private static final HttpCheckOptions DEFAULTS = HttpCheckOptions.defaults();

  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      description = "what AdmissionChecks name as their controller (default: kueue4j.io/http)")
  private String controllerName = DEFAULTS.controllerName();

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "how often Workloads are asked about again that were let through, where their HttpCheck"
              + " has recheckReady (default: 5m)")
  private Duration recheckReadyEvery = DEFAULTS.recheckReadyEvery();

  @Mixin private EndpointFlags endpoints = new EndpointFlags();

  HttpCheckOptions options() {
    return new HttpCheckOptions(
        controllerName, endpoints.addresses(), endpoints.allowFiles(), recheckReadyEvery);
  }
}
