// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.http.EndpointCheckOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a check whose parameters name an endpoint, on the command line. */
final class EndpointCheckFlags {
  @Mixin private ControllerNameFlags controller;

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Every.Converter.class,
      description =
          "how often Workloads are asked about again that were let through, where their parameters"
              + " have recheckReady (default: ${DEFAULT-VALUE})")
  private Every recheckReadyEvery;

  @Option(
      names = "--secrets-namespace",
      paramLabel = "NS",
      description = "where the Secrets lie that endpoints name (default: the pod's own namespace)")
  private @Nullable String secretsNamespace;

  @Mixin private EndpointFlags endpoints = new EndpointFlags();

  EndpointCheckFlags(EndpointCheckOptions defaults) {
    this.controller = new ControllerNameFlags(defaults.controllerName());
    this.recheckReadyEvery = new Every(defaults.recheckReadyEvery());
  }

  /** An interval that is shown as people write it. */
  private record Every(Duration interval) {
    @Override
    public String toString() {
      return GoDuration.format(interval).replaceFirst("m0s$", "m").replaceFirst("h0m$", "h");
    }

    static final class Converter implements ITypeConverter<Every> {
      @Override
      public Every convert(String text) {
        return new Every(new Interval().convert(text));
      }
    }
  }

  EndpointCheckOptions options() {
    return new EndpointCheckOptions(
        controller.controllerName(),
        endpoints.addresses(),
        endpoints.allowFiles(),
        recheckReadyEvery.interval(),
        secretsNamespace);
  }
}
