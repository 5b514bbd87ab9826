// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.budget.BudgetOptions;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The budget check's options on the command line. */
final class BudgetFlags {
  private static final BudgetOptions DEFAULTS = BudgetOptions.defaults();

  @Mixin
  private ControllerNameFlags controller = new ControllerNameFlags(DEFAULTS.controllerName());

  @Option(
      names = "--recheck-ready-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "how often running Workloads are looked at under policies that evict, such as 5m (default:"
              + " 1m)")
  private Duration recheckReadyEvery = DEFAULTS.recheckReadyEvery();

  @Option(
      names = "--spread",
      paramLabel = "TIME",
      converter = Spread.class,
      description =
          "over how long Workloads come back that waited for a window to begin; up to 5m (default:"
              + " 3m)")
  private Duration spread = DEFAULTS.spread();

  @Mixin private EndpointFlags endpoints = new EndpointFlags();

  /** {@code 90s}, {@code 0s}. */
  static final class Spread implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        Duration spread = GoDuration.parse(text);
        return new BudgetOptions(
                DEFAULTS.controllerName(),
                DEFAULTS.recheckReadyEvery(),
                spread,
                DEFAULTS.addresses(),
                false)
            .spread();
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  BudgetOptions options() {
    return new BudgetOptions(
        controller.controllerName(),
        recheckReadyEvery,
        spread,
        endpoints.addresses(),
        endpoints.allowFiles());
  }
}
